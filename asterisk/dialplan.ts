import type { Setup } from '../src/setup/setup.ts'
import { configText, type Entry, type Section, section } from './config-text.ts'

/** The ARI application that calls are given to. */
export const APPLICATION = 'switchboard'

/** Where the calls of one trunk begin. */
export const trunkContext = (trunk: string) => `from-trunk-${trunk}`

/** Where calls of agents' own phones begin, and end: agents are called, they do not dial through us. */
export const AGENTS_CONTEXT = 'from-agents'

const NO_ENGINE = 'no-engine'

/** ITU-T Q.850 causes, as `Hangup()` takes them. */
const CAUSE = { unallocatedNumber: 1, callRejected: 21, networkOutOfOrder: 38 } as const

/** "I'm sorry. Please try your call later.", twice; prompts of Debian's `asterisk-core-sounds-en`. */
const APOLOGY = 'im-sorry&please-try-call-later'

/**
 * `extensions.conf`: every trunk has its own way in, each ends in the engine, and there is no way out (only ARI
 * originates). Nothing in it comes from a caller but the number called, which is handed on as an argument.
 */
export function dialplanConfig(setup: Setup): string {
  return configText([
    section('general', ['static', 'yes'], ['writeprotect', 'yes'], ['clearglobalvars', 'no']),
    ...[...setup.trunks.keys()].map(fromTrunk),
    section(AGENTS_CONTEXT, ...refuse('_.', CAUSE.callRejected), ...refuse('s', CAUSE.callRejected)),
    withoutEngine(),
  ])
}

/**
 * Numbers as the setup file may hold them go to the engine. Stasis returns at once with `FAILED` when no engine is
 * connected; after a call that the engine had, and let go, there is nothing left to do.
 */
function fromTrunk(trunk: string): Section {
  return section(
    trunkContext(trunk),
    ['exten', `_[+*#0-9].,1,Stasis(${APPLICATION},arrived,\${EXTEN})`],
    ['same', `n,GotoIf($["\${STASISSTATUS}" = "FAILED"]?${NO_ENGINE},s,1)`],
    ['same', 'n,Hangup()'],
    ...refuse('s', CAUSE.unallocatedNumber),
    ...refuse('i', CAUSE.unallocatedNumber),
  )
}

/** What a caller hears while no engine is connected: never silence, never a promise. */
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
