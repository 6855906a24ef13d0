/** The callers of the demo: what they press, and the expected result. For real and simulated phones. */
import type { Caller } from '../src/sim/person.ts'

/** One call and its expected results. */
export interface Story {
  readonly id: string
  readonly title: string
  readonly caller: string
  readonly person: Caller
  /** The expected steps, in order. */
  readonly path: readonly string[]
  readonly outcome: string
  /** Expected part of the text message; absent: no message may be sent. */
  readonly sms?: string
  /** The agent who must talk to the caller. */
  readonly agent?: string
  readonly endedBy: 'caller' | 'switch'
}

/** The number that the demo's callers dial. */
export const DEMO_NUMBER = '+4570001000'

/** They answer after a second, talk, and hang up. */
export const AGENTS = [
  { name: 'anna', title: 'Anna (consumer cases)', team: 'collections-consumer', host: '127.0.0.31' },
  { name: 'ben', title: 'Ben (business cases)', team: 'collections-business', host: '127.0.0.32' },
  { name: 'cleo', title: 'Cleo (all other cases)', team: 'collections', host: '127.0.0.33' },
] as const

const ASKED = ['welcome', 'known', 'ask-case', 'lookup'] as const
const TEXTED = ['triage', 'whose', 'registered-text', 'registered-told', 'more-help'] as const

/** Case → the number that the debt system has on file: that of the caller who asks about it. */
export const NUMBERS_ON_FILE: Readonly<Record<string, string>> = {
  4711: '+4551000001',
  4713: '+4551000005',
  4714: '+4551000003',
}

/** In the order of the table; they run at once. */
export const STORIES: readonly Story[] = [
  {
    id: 'open-case',
    title: 'types an open case; the number on file gets the text',
    caller: '+4551000001',
    person: { presses: [press(1_500, '4711#'), press(2_500, '1')] },
    path: [...ASKED, ...TEXTED, 'goodbye'],
    outcome: 'completed',
    sms: 'https://pay.example/4711',
    endedBy: 'switch',
  },
  {
    id: 'closed-case',
    title: 'types a closed case and hears that it is closed',
    caller: '+4551000002',
    person: { presses: [press(1_500, '4712#'), press(2_500, '1')] },
    path: [...ASKED, 'triage', 'closed', 'more-help', 'goodbye'],
    outcome: 'completed',
    endedBy: 'switch',
  },
  {
    id: 'unknown-then-right',
    title: 'mistypes the number first, then the text is sent',
    caller: '+4551000003',
    person: { presses: [press(1_500, '9999#'), press(2_500, '1'), press(6_000, '4714#'), press(2_500, '1')] },
    path: [...ASKED, 'unknown-case', 'ask-case', 'lookup', ...TEXTED, 'goodbye'],
    outcome: 'completed',
    sms: 'https://pay.example/4714',
    endedBy: 'switch',
  },
  {
    id: 'silent',
    title: 'presses nothing three times and reaches an agent',
    caller: '+4551000004',
    person: {},
    path: ['welcome', 'known', 'ask-case', 'team', 'goodbye'],
    outcome: 'talked',
    agent: 'cleo',
    endedBy: 'switch',
  },
  {
    id: 'help',
    title: 'asks for help and reaches the team of the case',
    caller: '+4551000005',
    person: { presses: [press(1_500, '4713#'), press(2_500, '1'), press(4_000, '0')] },
    path: [...ASKED, ...TEXTED, 'team', 'goodbye'],
    outcome: 'talked',
    sms: 'https://pay.example/4713',
    agent: 'ben',
    endedBy: 'switch',
  },
  {
    id: 'leaves',
    title: 'hangs up in the middle of a sentence',
    caller: '+4551000006',
    person: { hangsUpAfterMs: 1_200 },
    path: ['welcome'],
    outcome: 'abandoned',
    endedBy: 'caller',
  },
]

function press(afterMs: number, keys: string) {
  return { afterMs, keys }
}
