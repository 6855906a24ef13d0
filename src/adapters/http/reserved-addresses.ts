import { BlockList, isIP } from 'node:net'

/** `inside`: this machine or a private network, for `allowedHosts` only. `forbidden`: no web server, or credentials. */
type AddressKind = 'public' | 'inside' | 'forbidden'

interface AddressVerdict {
  readonly kind: AddressKind
  /** The kind of address for error messages: `private (RFC 1918)`. */
  readonly what: string
}

/**
 * The special ranges of the IANA registries for IPv4 and IPv6 (RFC 6890 and its successors). The first matching row
 * decides, so narrow rows come before wide ones.
 *
 * IPv6 addresses that carry an IPv4 address are refused, whatever they carry: no public server is reachable only that
 * way, and `::ffff:7f00:1` is the oldest trick against guards.
 */
const RANGES: readonly (readonly [range: string, kind: AddressKind, what: string])[] = [
  ['168.63.129.16/32', 'forbidden', 'a cloud metadata address'],
  ['100.100.100.200/32', 'forbidden', 'a cloud metadata address'],
  ['0.0.0.0/8', 'forbidden', 'this network (RFC 791)'],
  ['10.0.0.0/8', 'inside', 'private (RFC 1918)'],
  ['100.64.0.0/10', 'inside', 'shared by carriers (RFC 6598)'],
  ['127.0.0.0/8', 'inside', 'loopback'],
  ['169.254.0.0/16', 'forbidden', 'link-local, with cloud metadata (RFC 3927)'],
  ['172.16.0.0/12', 'inside', 'private (RFC 1918)'],
  ['192.0.0.0/24', 'forbidden', 'reserved by the IETF (RFC 6890)'],
  ['192.0.2.0/24', 'forbidden', 'documentation (TEST-NET-1)'],
  ['192.31.196.0/24', 'forbidden', 'AS112 anycast (RFC 7535)'],
  ['192.52.193.0/24', 'forbidden', 'AMT anycast (RFC 7450)'],
  ['192.88.99.0/24', 'forbidden', '6to4 relay anycast (RFC 7526)'],
  ['192.168.0.0/16', 'inside', 'private (RFC 1918)'],
  ['192.175.48.0/24', 'forbidden', 'AS112 anycast (RFC 7534)'],
  ['198.18.0.0/15', 'forbidden', 'benchmarking (RFC 2544)'],
  ['198.51.100.0/24', 'forbidden', 'documentation (TEST-NET-2)'],
  ['203.0.113.0/24', 'forbidden', 'documentation (TEST-NET-3)'],
  ['224.0.0.0/4', 'forbidden', 'multicast'],
  ['240.0.0.0/4', 'forbidden', 'reserved or broadcast (RFC 1112)'],

  ['fd00:ec2::254/128', 'forbidden', 'a cloud metadata address'],
  ['::/128', 'forbidden', 'unspecified'],
  ['::1/128', 'inside', 'loopback'],
  ['::ffff:0:0/96', 'forbidden', 'an IPv4 address in IPv6 clothes (RFC 4291)'],
  ['::/96', 'forbidden', 'an IPv4 address in IPv6 clothes (RFC 4291)'],
  ['64:ff9b::/96', 'forbidden', 'a NAT64 translation (RFC 6052)'],
  ['64:ff9b:1::/48', 'forbidden', 'a NAT64 translation (RFC 8215)'],
  ['100::/64', 'forbidden', 'discarded (RFC 6666)'],
  ['2001::/32', 'forbidden', 'a Teredo tunnel (RFC 4380)'],
  ['2001::/23', 'forbidden', 'reserved by the IETF (RFC 2928)'],
  ['2001:db8::/32', 'forbidden', 'documentation (RFC 3849)'],
  ['2002::/16', 'forbidden', 'a 6to4 tunnel (RFC 3056)'],
  ['2620:4f:8000::/48', 'forbidden', 'AS112 anycast (RFC 7534)'],
  ['3fff::/20', 'forbidden', 'documentation (RFC 9637)'],
  ['5f00::/16', 'forbidden', 'segment routing (RFC 9602)'],
  ['fc00::/7', 'inside', 'unique local (RFC 4193)'],
  ['fe80::/10', 'forbidden', 'link-local'],
  ['fec0::/10', 'forbidden', 'site-local (RFC 3879)'],
  ['ff00::/8', 'forbidden', 'multicast'],
  ['2000::/3', 'public', 'global unicast'],
  ['::/0', 'forbidden', 'not assigned to anybody'],
]

const rows = RANGES.map(([range, kind, what]) => {
  const [address, bits] = range.split('/') as [string, string]
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  list.addSubnet(address, Number(bits), family)
  return { family, list, verdict: { kind, what } } as const
})

const PUBLIC: AddressVerdict = { kind: 'public', what: 'public' }
const NOT_AN_ADDRESS: AddressVerdict = { kind: 'forbidden', what: 'not an address' }
const ZONED: AddressVerdict = { kind: 'forbidden', what: 'bound to one network interface' }

/** Classifies an address by its bytes; spelling (case, leading zeros, dotted tails) does not matter. */
export function classifyAddress(address: string): AddressVerdict {
  const version = isIP(address)
  if (version === 0) return NOT_AN_ADDRESS
  if (address.includes('%')) return ZONED
  const family = version === 6 ? 'ipv6' : 'ipv4'
  // Rows of the other family are left out: a BlockList would also match IPv4 against mapped IPv6 rows.
  const row = rows.find((row) => row.family === family && row.list.check(address, family))
  return row?.verdict ?? PUBLIC
}
