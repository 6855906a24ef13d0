import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type AddressGuard, portOf } from './address-guard.ts'

/** The `code` of the error for a connection that the guard refuses. */
export const FORBIDDEN_CODE = 'SWITCHBOARD_ADDRESS_FORBIDDEN'

/** A server that does not accept a connection within a second answers too late for a caller. */
const CONNECT_TIMEOUT_MS = 1_000

/** For undici: the guard's addresses only. It is asked first: Node calls no `lookup` for literal addresses. */
export function guardedConnector(guard: AddressGuard, timeoutMs = CONNECT_TIMEOUT_MS): buildConnector.connector {
  return (options, callback) => {
    const fail = (error: Error) => callback(error, null)
    guard.addresses(options.hostname, portOf(options)).then((verdict) => {
      if (!verdict.ok) return fail(Object.assign(new Error(verdict.why), { code: FORBIDDEN_CODE }))
      const connect = buildConnector({
        lookup: answering(verdict.addresses),
        timeout: timeoutMs,
        // One exchange per connection at a time is enough, and one protocol is simpler than two.
        allowH2: false,
      } as buildConnector.BuildOptions)
      connect(options, callback)
    }, fail)
  }
}

/** A `lookup` for `net.connect` that returns the given addresses. */
function answering(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (host, options, callback) => {
    const first = found[0]
    if (!first) callback(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '')
    else if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  }
}
