import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'

import { h264Pictures } from './flv.ts'

const CLOCK = 90_000
const LONGEST = 1_100
const PART_OF_UNIT = 28

/** A WebRTC peer that shows the test picture again and again to whoever offers. */
export async function showTo(offer: string): Promise<{ answer: string; end: () => Promise<void> }> {
  const peer = new RTCPeerConnection({
    codecs: {
      audio: [],
      video: [
        new RTCRtpCodecParameters({
          mimeType: 'video/H264',
          clockRate: CLOCK,
          parameters: 'profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1',
        }),
      ],
    },
  })
  const track = new MediaStreamTrack({ kind: 'video' })
  await peer.setRemoteDescription({ type: 'offer', sdp: offer })
  peer.addTrack(track)
  await peer.setLocalDescription(await peer.createAnswer())
  const stop = send(track)
  return {
    answer: peer.localDescription!.sdp,
    end: async () => {
      stop()
      await peer.close()
    },
  }
}

function send(track: MediaStreamTrack): () => void {
  const pictures = h264Pictures()
  const pace = pictures[1]!.ms - pictures[0]!.ms
  let [count, sequence] = [0, 0]
  const timer = setInterval(() => {
    const { units } = pictures[count % pictures.length]!
    const timestamp = (count * pace * CLOCK) / 1_000
    const pieces = units.flatMap(piecesOf)
    pieces.forEach((payload, i) => {
      sequence = (sequence + 1) % 65_536
      const header = new RtpHeader({
        payloadType: 96,
        sequenceNumber: sequence,
        timestamp,
        marker: i === pieces.length - 1,
      })
      track.writeRtp(new RtpPacket(header, payload))
    })
    count += 1
  }, pace)
  return () => clearInterval(timer)
}
/** A unit in one packet, or cut into parts (RFC 6184, FU-A). */
function piecesOf(unit: Buffer): Buffer[] {
  if (unit.length <= LONGEST) return [unit]
  const [head, body] = [unit.readUInt8(0), unit.subarray(1)]
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length; at += LONGEST) {
    const isFirst = at === 0
    const isLast = at + LONGEST >= body.length
    const part = (isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0) | (head & 0x1f)
    pieces.push(
      Buffer.concat([Buffer.from([(head & 0xe0) | PART_OF_UNIT, part]), body.subarray(at, at + LONGEST)]),
    )
  }
  return pieces
}
