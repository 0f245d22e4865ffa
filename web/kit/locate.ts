const WAIT_MS = 10_000
interface Where {
  lng?: number
  lat?: number
  accuracy?: number
}
/** The place of the phone; nothing where it does not say, or where the page may not ask (plain HTTP). */
export function locate(): Promise<Where> {
  const geo = window.isSecureContext ? navigator.geolocation : undefined
  if (!geo) return Promise.resolve({})
  return new Promise((done) =>
    geo.getCurrentPosition(
      ({ coords }) => done({ lng: coords.longitude, lat: coords.latitude, accuracy: coords.accuracy }),
      () => done({}),
      { enableHighAccuracy: true, timeout: WAIT_MS, maximumAge: 60_000 },
    ),
  )
}
