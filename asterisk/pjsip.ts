/** `pjsip.conf`: which peers may reach the switch by SIP, and how they are identified. */
import { isIPv6 } from 'node:net'
import type { AsteriskConfig, Phone, Trunk } from '../src/installation/config.ts'
import type { AgentName } from '../src/kernel/ids.ts'
import type { ConfigInput } from './config-input.ts'
import { configText, type Entry, type Section, section } from './config-text.ts'
import { AGENTS_CONTEXT, trunkContext } from './dialplan.ts'

/** The PJSIP endpoint of a trunk; as a channel, `PJSIP/trunk-main`. */
export const trunkEndpoint = (trunk: string) => `trunk-${trunk}`

/** The PJSIP endpoint of an agent's phone; as a channel, `PJSIP/agent-anna`. */
export const agentEndpoint = (agent: string) => `agent-${agent}`

/** A vanished peer stops sending audio; without these limits its call would never end. */
const SOUND_LOST = { afterSeconds: 30, onHoldAfterSeconds: 300 } as const

/**
 * An agent is there as long as packets come from the phone (campaigns-80). Our choice: Asterisk counts whole seconds,
 * and one second would end calls over a short gap. Phones that send nothing while the agent is silent are lost, too.
 */
const AGENT_LOST_AFTER_SECONDS = 2

/**
 * The same for a browser (calls-and-flows-76): a page that is loaded again needs one to two seconds until its new leg
 * is in the bridge, and the leg of the old page must not end before.
 */
const BROWSER_LOST_AFTER_SECONDS = 5

/** Less than the 3 s without a packet after which the desk calls a line silent. */
const BROWSER_PACKET_EVERY_SECONDS = 1

/** What carriers take: nothing is transcoded between them and agents. */
const G711 = 'alaw,ulaw'

/** T1 and timer B of RFC 3261 17.1.1.2, in ms: a dead carrier is given up after 6.4 s instead of 32 s. */
const TRANSACTION = { timerT1Ms: 100, timerBMs: 6_400 } as const

/** How often Asterisk checks a registered phone. */
const QUALIFY_SECONDS = 30

/** The whole file: one endpoint per trunk and per phone. */
export function pjsipConfig({ installation: config, secret }: Pick<ConfigInput, 'installation' | 'secret'>): string {
  return configText([
    ...foundation(config.asterisk),
    ...[...config.trunks.values()].flatMap((trunk) => trunkSections(trunk, secret)),
    ...[...config.phones].flatMap(([agent, phone]) => agentSections(agent, phone, secret)),
  ])
}

/**
 * Trunks are identified by address, phones by the user name in `From` (`header`), and no peer by the plain `username`
 * rule: it takes the name of an endpoint as proof, and would admit any peer that calls itself `trunk-main`. Unknown
 * peers are challenged like known phones, to hide which names exist, and logged when they repeat.
 */
function foundation(asterisk: AsteriskConfig): Section[] {
  return [
    section(
      'global',
      ['type', 'global'],
      ['endpoint_identifier_order', 'ip,header'],
      ['unidentified_request_count', 3],
      ['unidentified_request_period', 5],
      ['unidentified_request_prune_interval', 30],
      ['ignore_uri_user_options', 'yes'],
      ['user_agent', 'Switchboard'],
      ['debug', 'no'],
    ),
    section(
      'system',
      ['type', 'system'],
      ['timer_t1', TRANSACTION.timerT1Ms],
      ['timer_b', TRANSACTION.timerBMs],
      ['threadpool_initial_size', 5],
      ['threadpool_auto_increment', 5],
      ['threadpool_max_size', 50],
    ),
    section(
      'transport-udp',
      ['type', 'transport'],
      ['protocol', 'udp'],
      ['bind', `${bracketed(asterisk.sipHost)}:${asterisk.sipPort}`],
    ),
    // SIP over the HTTP server of `http.conf`, which only this machine reaches: the node passes browsers on to it.
    section('transport-ws', ['type', 'transport'], ['protocol', 'ws'], ['bind', '127.0.0.1']),
  ]
}

/**
 * A carrier: calls come from its address only. With credentials it must also answer a challenge (faults.md 4.4:
 * "address and credentials where offered"), and Asterisk answers its challenges with the same ones.
 */
function trunkSections(trunk: Trunk, secret: ConfigInput['secret']): Section[] {
  const name = trunkEndpoint(trunk.name)
  const { username, passwordFrom } = trunk
  const hasCredentials = username !== undefined && passwordFrom !== undefined
  return [
    section(
      name,
      ...endpoint(trunkContext(trunk.name)),
      ['aors', name],
      ['identify_by', 'ip'],
      ['trust_id_inbound', 'yes'],
      ['auth', hasCredentials ? name : null],
      ['outbound_auth', hasCredentials ? name : null],
    ),
    fixedContact(name, trunk),
    section(name, ['type', 'identify'], ['endpoint', name], ['match', trunk.host]),
    ...(hasCredentials ? [credentials(name, username, secret(passwordFrom))] : []),
  ]
}

/**
 * An agent's phone. A registering phone has a user name of its own, which need not be guessable from the agent's name;
 * its AOR has that user name, because a REGISTER names it, and the registrar finds it by the `username` rule. That rule
 * admits no calls: the module for it is not loaded. A phone at a fixed address only receives calls.
 */
function agentSections(agent: AgentName, phone: Phone, secret: ConfigInput['secret']): Section[] {
  const name = agentEndpoint(agent)
  if (phone.kind === 'browser') return browserSections(name, phone.isOpus === true)
  if (phone.kind === 'fixed') {
    const entries: Entry[] = [...phoneEndpoint(), ['aors', name], ['identify_by', 'ip']]
    return [section(name, ...entries), fixedContact(name, phone)]
  }
  const { username } = phone
  return [
    section(
      name,
      ...phoneEndpoint(),
      ['aors', username],
      ['auth', name],
      ['identify_by', 'header,username'],
      ['force_rport', 'yes'],
      ['rewrite_contact', 'yes'],
    ),
    registeredContact(username, QUALIFY_SECONDS),
    identifiedByFrom(name, username),
    credentials(name, username, secret(phone.passwordFrom)),
  ]
}

/**
 * An agent's browser (WebRTC). Its password is no part of a file: the engine gives a new one to the running switch for
 * each shift, as the object `auth` of this name (`sorcery.conf`), and no browser registers without. It is not
 * qualified: a browser that is gone has closed its connection, which removes its contact. A leg that is alone in its
 * bridge gets no sound; one packet of comfort noise a second proves to an idle browser that it would be heard.
 * With Opus nothing else is allowed: of several codecs a call that ARI makes offers G.711 alone (measured, 22.10.1),
 * and every browser has Opus (RFC 7874 3).
 */
function browserSections(name: string, isOpus: boolean): Section[] {
  return [
    section(
      name,
      ...endpoint(AGENTS_CONTEXT, BROWSER_LOST_AFTER_SECONDS, isOpus ? 'opus' : G711),
      ['webrtc', 'yes'],
      ['rtp_keepalive', BROWSER_PACKET_EVERY_SECONDS],
      ['dtls_auto_generate_cert', 'yes'],
      ['aors', name],
      ['auth', name],
      ['identify_by', 'header,username'],
      ['force_rport', 'yes'],
      ['rewrite_contact', 'yes'],
    ),
    registeredContact(name, 0),
    identifiedByFrom(name, name),
  ]
}

/** The contact of one phone: the latest registration counts. */
function registeredContact(username: string, qualifySeconds: number): Section {
  return section(
    username,
    ['type', 'aor'],
    ['max_contacts', 1],
    ['remove_existing', 'yes'],
    ['remove_unavailable', 'yes'],
    ['minimum_expiration', 30],
    ['maximum_expiration', 3600],
    ['qualify_frequency', qualifySeconds],
  )
}

function identifiedByFrom(name: string, username: string): Section {
  const header = `From: /<sips?:${username.replaceAll('.', '[.]')}@/`
  return section(name, ['type', 'identify'], ['endpoint', name], ['match_header', header])
}

/** Common to trunks and phones. Media passes through Asterisk: it is recorded there, and both ends stay hidden. */
function endpoint(
  context: string,
  soundLostAfterSeconds: number = SOUND_LOST.afterSeconds,
  codecs = G711,
): readonly Entry[] {
  return [
    ['type', 'endpoint'],
    ['context', context],
    ['allow', `!all,${codecs}`],
    ['direct_media', 'no'],
    ['rtp_symmetric', 'yes'],
    ['rtp_timeout', soundLostAfterSeconds],
    ['rtp_timeout_hold', SOUND_LOST.onHoldAfterSeconds],
    ['dtmf_mode', 'auto'],
    ['allow_transfer', 'no'],
    ['allow_subscribe', 'no'],
  ]
}

const phoneEndpoint = () => endpoint(AGENTS_CONTEXT, AGENT_LOST_AFTER_SECONDS)

/** An address that Asterisk does not qualify: carriers and test phones answer OPTIONS unpredictably. */
function fixedContact(name: string, { host, port }: { host: string; port: number }): Section {
  const contact = `sip:${bracketed(host)}:${port}`
  return section(name, ['type', 'aor'], ['contact', contact], ['qualify_frequency', 0])
}

function credentials(name: string, username: string, password: string | undefined): Section {
  return section(
    name,
    ['type', 'auth'],
    ['auth_type', 'digest'],
    ['username', username],
    ['password', password ?? null],
  )
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}
