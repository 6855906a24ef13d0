/**
 * Keeps flows from reaching internal servers (server-side request forgery, F-J1).
 *
 * The guard checks the URL's text first, and then every address that its name resolves to. The connection uses exactly
 * the checked addresses, so a name server cannot answer differently a second time.
 */
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { assert } from '../../kernel/assert.ts'
import { classifyAddress } from './reserved-addresses.ts'

/** Resolves a host; rejects with a `code` such as `ENOTFOUND`. */
export type Resolve = (host: string) => Promise<readonly string[]>

type UrlVerdict = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly why: string }

type AddressesVerdict =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly why: string }

/** Decides which servers may be reached. `why` names the host and the remedy, never a path or query. */
export interface AddressGuard {
  /** Checks a URL by its text alone: scheme, credentials, port, and literal addresses. */
  judge(url: string): UrlVerdict
  /** Resolves a host and checks every address. Rejects when the name does not exist. */
  addresses(host: string, port: number): Promise<AddressesVerdict>
}

/** Many servers refuse longer URLs, and no case lookup needs one. */
const URL_LENGTH_MAX = 2_048

/** Our choice: flows call web servers. `allowedHosts` must name other ports, which may be mail servers or databases. */
const USUAL_PORTS = [80, 443, 8080, 8443]

export interface UrlRules {
  /** For hosts that `allowedHosts` does not name. */
  readonly ports: readonly number[]
  /** Where `http:` is allowed beside `https:`. */
  readonly plainHttp: 'everywhere' | 'allowedHosts' | 'nowhere'
  readonly mayHaveFragment: boolean
}

/** For requests of flows. */
const FLOW_URLS: UrlRules = { ports: USUAL_PORTS, plainHttp: 'everywhere', mayHaveFragment: true }

/** For webhooks (D-25): their content is confidential. */
export function webhookUrls(environment: 'production' | 'development'): UrlRules {
  const plainHttp = environment === 'development' ? 'allowedHosts' : 'nowhere'
  return { ports: [443, 8443], plainHttp, mayHaveFragment: false }
}

interface AddressGuardOptions {
  /** `host` (on the usual ports) or `host:port`: may be loopback or private. Others must be public. */
  readonly allowedHosts: readonly string[]
  /** Default: the rules for flows. */
  readonly rules?: UrlRules
  /** Default: the resolver of the machine. */
  readonly resolve?: Resolve
}

/** `allowedHosts` must have been checked with `parseAllowedHost`. */
export function addressGuard(options: AddressGuardOptions): AddressGuard {
  const { allowedHosts, rules = FLOW_URLS, resolve = resolveBySystem } = options
  const allowed = new Set(allowedHosts.flatMap(allowedPlaces))
  const allows = (host: string, port: number) => allowed.has(placeOf(host, port))
  const find = sharing(resolve)
  return {
    judge: (text) => checkUrl(text, rules, allows),
    async addresses(host, port) {
      const mayBeInside = allows(host, port)
      const addresses = isIP(bare(host)) ? [bare(host)] : await find(host)
      for (const address of addresses) {
        const why = refusal(address, mayBeInside)
        if (why) return { ok: false, why: `${host} must not be asked: ${why}` }
      }
      return { ok: true, addresses }
    },
  }
}

/** `host` or `host:port` of `allowedHosts`; undefined for anything else. IPv6 with a port is in brackets. */
export function parseAllowedHost(entry: string): { host: string; port: number | undefined } | undefined {
  const text = isIP(entry) === 6 ? `[${entry}]` : entry
  const port = /^(?:\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(text)?.[1]
  const url = URL.parse(`http://${text}`)
  if (!url || /[/?#@\\\s]|:$/.test(text)) return undefined
  return { host: plainHost(url.hostname), port: port === undefined ? undefined : Number(port) }
}

function allowedPlaces(entry: string): string[] {
  const place = parseAllowedHost(entry)
  assert(place, `allowedHosts: "${entry}" is neither a host nor host:port`)
  return place.port === undefined
    ? USUAL_PORTS.map((port) => placeOf(place.host, port))
    : [placeOf(place.host, place.port)]
}

function checkUrl(text: string, rules: UrlRules, allows: (host: string, port: number) => boolean): UrlVerdict {
  const refused = (why: string): UrlVerdict => ({ ok: false, why })
  if (text.length > URL_LENGTH_MAX) return refused(`the URL is longer than ${URL_LENGTH_MAX} characters`)
  // The URL standard reads 0x7f.1, 2130706433 and full-width digits as 127.0.0.1. The connection uses the parsed host,
  // so the checks do too.
  const url = URL.parse(text)
  if (!url) return refused('this is not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refused(`${url.protocol} is not http or https`)
  if (url.username || url.password) return refused('a URL must not hold a user name or password; use auth')
  if (!rules.mayHaveFragment && url.href.includes('#')) return refused('a URL must not have a fragment (#)')
  const host = url.hostname
  const port = portOf(url)
  const mayBeInside = allows(host, port)
  const mayBePlain = rules.plainHttp === 'everywhere' || (rules.plainHttp === 'allowedHosts' && mayBeInside)
  if (url.protocol === 'http:' && !mayBePlain) return refused('it must be https')
  if (!mayBeInside && !rules.ports.includes(port)) {
    return refused(`port ${port} is not one of ${rules.ports.join(', ')}; allowedHosts can name ${host}:${port}`)
  }
  const why = isIP(bare(host)) ? refusal(bare(host), mayBeInside) : undefined
  return why ? refused(`${host} must not be asked: ${why}`) : { ok: true, url }
}

/** The port of a URL, whose text leaves out the usual one of its scheme. Port 0 is not a usual port. */
export function portOf({ port, protocol }: { readonly port: string; readonly protocol: string }): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

function refusal(address: string, mayBeInside: boolean): string | undefined {
  const { kind, what } = classifyAddress(address)
  if (kind === 'public' || (kind === 'inside' && mayBeInside)) return undefined
  const remedy = kind === 'inside' ? '; allowedHosts in the configuration can allow it' : ''
  return `its address ${address} is ${what}${remedy}`
}

async function resolveBySystem(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/** Shares one lookup between all requests for the same name: a dead name server must not fill Node's thread pool. */
function sharing(resolve: Resolve): Resolve {
  const asked = new Map<string, Promise<readonly string[]>>()
  return (host) => {
    const waiting = asked.get(host)
    if (waiting) return waiting
    const answer = resolve(host).finally(() => asked.delete(host))
    asked.set(host, answer)
    return answer
  }
}

function placeOf(host: string, port: number): string {
  return `${plainHost(host)} ${port}`
}

/** `Example.com.` and `example.com` are one host. */
function plainHost(host: string): string {
  return bare(host).replace(/\.$/, '').toLowerCase()
}

/** `[::1]` → `::1`. */
function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

/** `host:port` of a service's address, as `allowedHosts` has it. */
export function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address)
  return `${hostname}:${portOf({ port, protocol })}`
}
