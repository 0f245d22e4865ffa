const PATHS: Record<string, string> = {
  home: 'M4 11.5 12 5l8 6.5V20h-5.5v-5h-5v5H4z',
  site: 'M5 21V9l7-5 7 5v12M9 21v-6h6v6M9 11h.01M15 11h.01',
  worker: 'M5 12a7 7 0 0 1 14 0M3.5 12h17M10 5.5v4M14 5.5v4M7 15.5a5 5 0 0 0 10 0',
  image: 'M4 6h16v12H4zM4 15l4.5-4 4 3.5L16 11l4 4M9 9.5h.01',
  device: 'M4 7h11v8H4zM15 10l5-3v8l-5-3M7 19h6',
  patrol: 'M12 3l7 3v5c0 5-3 8.5-7 10-4-1.5-7-5-7-10V6zM9 12l2 2 4-4',
  chart: 'M4 20h16M7 20v-7M12 20V6M17 20v-10',
  board: 'M4 5h16v11H4zM9 20h6M12 16v4M8 12l3-3 2 2 3-3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15.5 15.5 20 20',
  bell: 'M6 17h12l-1.5-2.5V11a4.5 4.5 0 0 0-9 0v3.5zM10 20h4',
  full: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  gear: 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6m0-6v3m0 12v3M3 12h3m12 0h3M5.6 5.6l2.2 2.2m8.4 8.4 2.2 2.2M5.6 18.4l2.2-2.2m8.4-8.4 2.2-2.2',
  swap: 'M4 8h14l-3-3M20 16H6l3 3',
  close: 'M6 6l12 12M18 6 6 18',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5',
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  list: 'M4 6h16M4 12h16M4 18h16',
  contract: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 17c1.2-2 2.2-2 3 0s1.8 1 3-.5',
  package: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  check: 'M8 4h8v3H8zM8 5H5v16h14V5h-3M8.5 13.5l2.5 2.5 4.5-5',
  order: 'M6 4h12v16H6zM9 8.5h6M9 12h6M9 15.5h3',
  dispatch:
    'M3 6h11v10H3zM14 10h4l3 3v3h-7M7 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4M17 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  camera: 'M4 8h4l1.5-2h5L16 8h4v11H4zM12 10.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
}
/** Line icons in the bundle: a closed network shows them too. Colour follows the text, blue when chosen. */
export const Icon = ({ name, size = 18 }: { name: string; size?: number }) => (
  <svg
    className="icon"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.7"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name] ?? PATHS.grid!} />
  </svg>
)
