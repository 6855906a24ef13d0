/**
 * The cookie way of authentication, for the console: a browser session (docs/decisions/console.md). The cookie holds
 * the public id, the secret and the check value of a credential that works by this way alone.
 */
import { type CredentialValues, SESSION_SECRET } from './credential-values.ts'

/** Browsers keep it only from https, for this host alone (RFC 6265bis, 4.1.3.2). */
const SECURE_NAME = '__Host-sb'
/** On this computer, where there is no https. */
const LOCAL_NAME = 'sb'
/** The header that a page of another origin cannot send without being allowed. */
export const CONSOLE_HEADER = 'svc-console'
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** Of a request; Node joins those that it may not repeat. */
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Where a page was loaded from, by what its browser says. */
interface PageOrigin {
  readonly isSecure: boolean
  readonly isLoopback: boolean
}

/** The origin of the page that sent a request; undefined: no page of this host sent it. */
export function pageOrigin(headers: Headers): PageOrigin | undefined {
  const origin = URL.parse(one(headers, 'origin') ?? '')
  if (!origin || origin.host === '' || !isOwn(headers)) return undefined
  return { isSecure: origin.protocol === 'https:', isLoopback: LOOPBACK.test(origin.hostname) }
}

/** `Set-Cookie` of a session. It ends with the browser's, or when the credential does. */
export function sessionCookie(values: CredentialValues, { isSecure }: PageOrigin): string {
  const text = [values.rcntrl, values.tokenv2.slice(SESSION_SECRET.length), values.ccntrl].join('.')
  return cookieOf(isSecure, text)
}

/** `Set-Cookie` headers that end a session. */
export function endedCookie({ isSecure }: PageOrigin): string {
  return `${cookieOf(isSecure, '')}; Max-Age=0`
}

function cookieOf(isSecure: boolean, text: string): string {
  const attributes = 'Path=/; HttpOnly; SameSite=Strict'
  return isSecure ? `${SECURE_NAME}=${text}; ${attributes}; Secure` : `${LOCAL_NAME}=${text}; ${attributes}`
}

/**
 * The credential of a request of the console; undefined: there is none, or another page may have sent it. `isPlayed`:
 * an audio element may fetch it, which can send no header of ours (console-14).
 */
export function sessionOfRequest(headers: Headers, method: string, isPlayed: boolean): CredentialValues | undefined {
  const isSafe = method === 'GET' || method === 'HEAD'
  if (isPlayed && isSafe && isOfPlayer(headers)) return cookieValues(headers)
  if (headers[CONSOLE_HEADER] !== '1' || !isOwn(headers)) return undefined
  const isTold = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined
  return isSafe || isTold ? cookieValues(headers) : undefined
}

/** Whether the browser itself says that an audio element of a page of this origin asks: no script can write these. */
function isOfPlayer(headers: Headers): boolean {
  return headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'audio' && isOwn(headers)
}

/** The same for the opening of a WebSocket, which can carry no header of ours: it has an `Origin` always. */
export function sessionOfSocket(headers: Headers): CredentialValues | undefined {
  return pageOrigin(headers) && cookieValues(headers)
}

/** Whether nothing says that a page of another origin sent it. `Sec-Fetch-Site` is the browser's own word. */
function isOwn(headers: Headers): boolean {
  const [site, origin] = [one(headers, 'sec-fetch-site'), one(headers, 'origin')]
  if (site !== undefined && site !== 'same-origin') return false
  return origin === undefined || URL.parse(origin)?.host === one(headers, 'host')?.replace(/:(80|443)$/, '')
}

function cookieValues(headers: Headers): CredentialValues | undefined {
  const [cookie = '', host = ''] = [one(headers, 'cookie'), one(headers, 'host')]
  const all = new Map(cookie.split(';').map((pair) => [pair.split('=', 1)[0]!.trim(), pair.trim()]))
  const isLocal = LOOPBACK.test(host.replace(/:\d+$/, ''))
  const pair = all.get(SECURE_NAME) ?? (isLocal ? all.get(LOCAL_NAME) : undefined)
  const [rcntrl, secret, ccntrl] = pair?.slice(pair.indexOf('=') + 1).split('.') ?? []
  if (!rcntrl || !secret || !ccntrl) return undefined
  return { rcntrl, tokenv2: SESSION_SECRET + secret, ccntrl }
}

function one(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
