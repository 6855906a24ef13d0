/** Telephones of a room: the carrier behind its trunk, the phones of its agents, and people who call in. */
import { findTree } from '../../../asterisk/tree.ts'
import { phoneKit } from '../../../demo/sip/phone-kit.ts'
import { openCarrier, type SipCarrier, type SipCarrierOptions } from '../../../demo/sip/sip-carrier.ts'
import { type AnswerPhone, answerPhone, type SippAgentPhone } from '../../../demo/sip/sipp-agent-phone.ts'
import { callIn, type SippCall, type SippCaller } from '../../../demo/sip/sipp-phone.ts'
import { place } from './doors.ts'
import { phoneHosts, ROOMS, type RoomName } from './installation.ts'

/** What callees and callers say, and agents listen for. */
export const PERSON_HZ = 440
/** What agents say. */
export const AGENT_HZ = 620

const kit = phoneKit(findTree(process.env['SWITCHBOARD_TEST_TREE']!)!.sipp!, process.pid)

/**
 * The carrier of a room; of another place where one is given. `contactOf`: who is reached under a number; by the last
 * two digits when absent.
 */
export function carrierOf(
  room: RoomName,
  options: Pick<SipCarrierOptions, 'contactOf'> = {},
  { ports } = place,
): Promise<SipCarrier> {
  const at = { host: ROOMS[room].carrierHost, port: ports.carrier[room] }
  return openCarrier({ ...kit, ...at, toneHz: PERSON_HZ, listensFor: [AGENT_HZ], ...options })
}

/** An agent's phone; it answers at once and stays, if nothing else is said. */
export function phoneOf(
  agent: string,
  person: AnswerPhone['person'] = { does: 'answer', afterMs: 50 },
  { ports } = place,
): Promise<SippAgentPhone> {
  const at = { host: phoneHosts().get(agent)!, port: ports.phone }
  return answerPhone({ kit, at, person, toneHz: AGENT_HZ, listensFor: [PERSON_HZ] })
}

/** Somebody calls one of our numbers through the trunk of a room. */
export function callerOf(
  room: RoomName,
  call: Pick<SippCall, 'called' | 'caller' | 'person' | 'toneHz'>,
): Promise<SippCaller> {
  const target = { host: '127.0.0.1', port: place.ports.sip }
  const from = ROOMS[room].carrierHost
  return callIn({ kit, target, from, toneHz: PERSON_HZ, listensFor: [AGENT_HZ], ...call })
}
