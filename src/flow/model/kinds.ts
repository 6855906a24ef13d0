/** The properties of each kind of step (flow-language.md 3.2), for the linter and the documentation. */
import type { StepKindName } from './flow.ts'

interface StepKind {
  /** Failures that `on` may name. `failed` catches those not named. */
  readonly ends: readonly string[]
  /** Whether the step goes on by `next`; if not, by what. */
  readonly goesOnBy: 'next' | 'its keys' | 'its cases and else' | 'nothing: the call is over'
  /** What `as` receives; absent when the step has no result. */
  readonly gives?: string
  /** May stand in `onHangup`: it needs no caller. */
  readonly afterHangup: boolean
  /** Ends at which the caller has heard nothing: all, or these. */
  readonly silentEnds: 'all' | readonly string[]
}

/** The kinds of this version. */
export const STEP_KINDS: Readonly<Record<StepKindName, StepKind>> = {
  play: { ends: ['failed'], goesOnBy: 'next', afterHangup: false, silentEnds: ['failed'] },
  gather: {
    ends: ['noInput', 'invalid', 'failed'],
    goesOnBy: 'next',
    gives: 'the digits',
    afterHangup: false,
    silentEnds: [],
  },
  menu: { ends: ['noInput', 'invalid', 'failed'], goesOnBy: 'its keys', afterHangup: false, silentEnds: [] },
  http: {
    ends: ['notFound', 'timeout', 'malformed', 'unavailable', 'failed'],
    goesOnBy: 'next',
    gives: 'the answer',
    afterHangup: true,
    silentEnds: 'all',
  },
  branch: { ends: [], goesOnBy: 'its cases and else', afterHangup: false, silentEnds: 'all' },
  set: { ends: ['malformed', 'failed'], goesOnBy: 'next', afterHangup: true, silentEnds: 'all' },
  sms: {
    ends: ['noMobile', 'undelivered', 'timeout', 'malformed', 'failed'],
    goesOnBy: 'next',
    gives: 'the id of the message',
    afterHangup: true,
    silentEnds: 'all',
  },
  doNotCall: { ends: ['noNumber', 'malformed', 'failed'], goesOnBy: 'next', afterHangup: true, silentEnds: 'all' },
  wait: {
    ends: ['timeout', 'malformed', 'failed'],
    goesOnBy: 'next',
    gives: 'the data of the event',
    afterHangup: false,
    silentEnds: ['malformed', 'failed'],
  },
  queue: {
    ends: ['timeout', 'full', 'closed', 'failed'],
    goesOnBy: 'next',
    afterHangup: false,
    silentEnds: ['full', 'closed'],
  },
  record: {
    ends: ['noInput', 'declined', 'failed'],
    goesOnBy: 'next',
    gives: 'the message: its url and its seconds',
    afterHangup: false,
    silentEnds: ['declined', 'failed'],
  },
  transfer: {
    ends: ['busy', 'noAnswer', 'refused', 'malformed', 'failed'],
    goesOnBy: 'next',
    afterHangup: false,
    silentEnds: 'all',
  },
  subflow: {
    ends: ['malformed', 'failed'],
    goesOnBy: 'next',
    gives: 'the variables of the flow, and its outcome',
    afterHangup: false,
    silentEnds: 'all',
  },
  hangup: { ends: [], goesOnBy: 'nothing: the call is over', afterHangup: false, silentEnds: [] },
}

/** Every kind there is now. */
export const STEP_KIND_NAMES = Object.keys(STEP_KINDS) as readonly StepKindName[]

/** The end of a step that was entered more often than its `limit`. */
export const LIMIT_END = 'limit'

/** Whether a http step can end with this status by name: 404 is `notFound`, and 2xx is no failure. */
export function isStatusEnd(end: string): boolean {
  return /^[345]\d\d$/.test(end) && end !== '404'
}

/** `a play step`, `an sms step`: for messages. */
export function aStep(kind: StepKindName): string {
  return `${kind === 'sms' ? 'an' : 'a'} ${kind} step`
}
