import { BlockList, isIP, isIPv4 } from 'node:net'

/** Whether an entry is an address or a network: `10.0.0.0/8`, `2001:db8::1`. */
export function isNetwork(entry: string): boolean {
  return partsOf(entry) !== undefined
}

/** Whether an address matches an entry; an empty list allows every address. */
export function isAllowed(address: string, entries: readonly string[]): boolean {
  if (entries.length === 0) return true
  const list = new BlockList()
  for (const entry of entries) {
    const parts = partsOf(entry)
    if (parts) list.addSubnet(parts.address, parts.bits, parts.family)
  }
  const plain = plainAddress(address)
  return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
}

/** The IPv4 address inside an IPv4-mapped IPv6 address; others unchanged. */
export function plainAddress(address: string): string {
  const inner = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return inner ?? address
}

function partsOf(entry: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address = '', bits, ...more] = entry.split('/')
  const kind = isIP(address)
  if (kind === 0 || more.length > 0) return undefined
  const most = kind === 4 ? 32 : 128
  if (bits === undefined) return { address, bits: most, family: kind === 4 ? 'ipv4' : 'ipv6' }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > most) return undefined
  return { address, bits: Number(bits), family: kind === 4 ? 'ipv4' : 'ipv6' }
}
