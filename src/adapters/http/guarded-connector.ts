import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type AddressGuard, portOf } from './address-guard.ts'

/** The `code` of the error with which a connection is refused by us. */
export const FORBIDDEN_CODE = 'SWITCHBOARD_ADDRESS_FORBIDDEN'

/** A server that does not take a connection within a second will not answer within a caller's patience either. */
const CONNECT_TIMEOUT_MS = 1_000

/**
 * How undici gets its connections: the guard names the addresses, and the socket is given those and no others.
 * Node asks no `lookup` for addresses written out, which is why the guard is asked first and for every connection.
 */
export function guardedConnector(guard: AddressGuard, timeoutMs = CONNECT_TIMEOUT_MS): buildConnector.connector {
  return (options, callback) => {
    const fail = (error: Error) => callback(error, null)
    guard.addresses(options.hostname, portOf(options)).then((verdict) => {
      if (!verdict.ok) return fail(Object.assign(new Error(verdict.why), { code: FORBIDDEN_CODE }))
      const connect = buildConnector({
        lookup: answering(verdict.addresses),
        timeout: timeoutMs,
        // One exchange per connection at a time is all we need, and one protocol is easier to reason about than two.
        allowH2: false,
      } as buildConnector.BuildOptions)
      connect(options, callback)
    }, fail)
  }
}

/** A `lookup` for `net.connect` that knows the answer. */
function answering(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (host, options, callback) => {
    const first = found[0]
    if (!first) callback(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '')
    else if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  }
}
