import ipaddr from 'ipaddr.js'

import type { Key } from './bound.ts'

const NEAR_PARTS = 4
const WIDE_PARTS = 3

/**
 * Whose an address is: one subscriber has a whole /64 of IPv6 addresses, and often a /48 of such networks. An address
 * of IPv4 is itself, also where it is written as one of IPv6.
 */
function networks(ip: string): { near: string; wide: string } {
  if (!ipaddr.isValid(ip)) return { near: ip, wide: ip }
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return { near: address.toString(), wide: address.toString() }
  const first = (n: number) => address.parts.slice(0, n).map((part) => part.toString(16))
  return {
    near: `${first(NEAR_PARTS).join(':')}::/64`,
    wide: `${first(WIDE_PARTS).join(':')}::/48`,
  }
}
/** The network by which limits by address count, which nobody else has. */
export const networkOf = (ip: string): string => networks(ip).near
export const wideNetworkOf = (ip: string): string => networks(ip).wide
/** The same for a class of work, which lets the networks of one subscriber have a little more than one of them. */
export function byNetwork(ip: string): Key {
  const { near, wide } = networks(ip)
  return near === wide ? near : [near, wide]
}
