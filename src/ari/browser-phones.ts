import type { AgentName } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import { type BrowserPhones, type PhoneGiven, sipUserOf } from '../ports/browser-phones.ts'
import type { AriAddress } from './address.ts'
import type { ArgsOf, Ask } from './operation.ts'

const PUT = 'PUT /asterisk/config/dynamic/{configClass}/{objectType}/{id}'

/** The sorcery object of a password, which `sorcery.conf` keeps in memory. */
const AUTH = { configClass: 'res_pjsip', objectType: 'auth' } as const

/**
 * Passwords of browsers, given to the running Asterisk as dynamic configuration (ARI `asterisk`, push configuration).
 * They live in its memory: they outlive a reload and the engine, and not Asterisk (measured, 22.10.1).
 */
export function browserPhonesOver(ask: Ask, { socket }: AriAddress, log: Log): BrowserPhones {
  const about = (agent: AgentName) => ({ ...AUTH, id: sipUserOf(agent) })
  return {
    signallingUrl: socket.replace(/\/ari$/, '/ws'),
    async give(agent, password): Promise<PhoneGiven> {
      const fields = { auth_type: 'digest', username: sipUserOf(agent), password }
      const tuples: unknown = Object.entries(fields).map(([attribute, value]) => ({ attribute, value }))
      // The document calls the list an object.
      const args = { ...about(agent), fields: tuples as NonNullable<ArgsOf<typeof PUT>['fields']> }
      const answer = await ask(PUT, args)
      if (answer.ok) return { ok: true }
      log.warn({ agent, status: answer.status, why: answer.why }, 'Asterisk took no password for a browser')
      return { ok: false, why: `Asterisk took no password for the phone in the browser: ${answer.why}` }
    },
    async take(agent) {
      const answer = await ask('DELETE /asterisk/config/dynamic/{configClass}/{objectType}/{id}', about(agent))
      if (answer.ok || answer.status === 404) return
      log.warn({ agent, status: answer.status, why: answer.why }, 'the password of a browser was not taken back')
    },
  }
}
