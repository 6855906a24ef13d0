import type { InstallationConfig } from '../src/installation/config.ts'
import { configText, type Entry, type Section, section } from './config-text.ts'

/** The Stasis application that gets the calls. */
export const APPLICATION = 'switchboard'

/** The context of calls from one trunk. */
export const trunkContext = (trunk: string) => `from-trunk-${trunk}`

/** The context of calls from agents' own phones, which ends at once: agents are called, they do not dial. */
export const AGENTS_CONTEXT = 'from-agents'

const NO_ENGINE = 'no-engine'

/** ITU-T Q.850 causes, as `Hangup()` takes them. */
const CAUSE = { unallocatedNumber: 1, callRejected: 21, networkOutOfOrder: 38 } as const

/** "I'm sorry. Please try your call later.", twice; prompts of Debian's `asterisk-core-sounds-en`. */
const APOLOGY = 'im-sorry&please-try-call-later'

/**
 * `extensions.conf`: every trunk has its own context, each ends in the engine, and none leads out (only ARI
 * originates). From a caller come the called number, which is passed as an argument, and the letters of `Privacy`.
 */
export function dialplanConfig(config: InstallationConfig): string {
  return configText([
    section('general', ['static', 'yes'], ['writeprotect', 'yes'], ['clearglobalvars', 'no']),
    ...[...config.trunks.keys()].map(fromTrunk),
    section(AGENTS_CONTEXT, ...refuse('_.', CAUSE.callRejected), ...refuse('s', CAUSE.callRejected)),
    withoutEngine(),
  ])
}

/**
 * A number that the carrier tells us alone: asserted with `Privacy: id` (RFC 3325 9.3), which Asterisk marks as
 * prohibited, or in `From` with a `Privacy` that asks to hide it (RFC 3323 4.2). It ends here: no flow, agent or
 * record gets it.
 */
const PRIVACY = '${TOLOWER(${FILTER(a-zA-Z,${PJSIP_HEADER(read,Privacy)})})}'
const IS_WITHHELD = `"\${CALLERID(num-pres):0:6}" = "prohib" | "${PRIVACY}" =~ "(id|user|header)"`

/**
 * Numbers that the configuration may hold go to the engine. Stasis returns at once with `FAILED` when no engine is
 * connected; after a call that the engine has handled, there is nothing left to do.
 */
function fromTrunk(trunk: string): Section {
  return section(
    trunkContext(trunk),
    ['exten', `_[+*#0-9].,1,GotoIf($[${IS_WITHHELD}]?withheld:known)`],
    ['same', 'n(withheld),Set(CALLERID(num)=)'],
    ['same', `n(known),Stasis(${APPLICATION},arrived,\${EXTEN})`],
    ['same', `n,GotoIf($["\${STASISSTATUS}" = "FAILED"]?${NO_ENGINE},s,1)`],
    ['same', 'n,Hangup()'],
    ...refuse('s', CAUSE.unallocatedNumber),
    ...refuse('i', CAUSE.unallocatedNumber),
  )
}

/** What a caller hears while no engine is connected: no silence, and no promise. */
function withoutEngine(): Section {
  return section(
    NO_ENGINE,
    ['exten', 's,1,Answer()'],
    ['same', `n,Playback(${APOLOGY})`],
    ['same', `n,Playback(${APOLOGY})`],
    ['same', `n,Hangup(${CAUSE.networkOutOfOrder})`],
  )
}

function refuse(pattern: string, cause: number): readonly Entry[] {
  return [['exten', `${pattern},1,Hangup(${cause})`]]
}
