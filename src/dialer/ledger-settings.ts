/** Limits on abandoned calls in the settings, and the rules made from them (dialing-rules.md 5.2). */

import Type from 'typebox'
import { isDate } from '../kernel/instant.ts'
import type { LedgerRule, LedgerWindow } from './ledger.ts'

const DATE = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'

const oneOf = <const Words extends string[]>(words: [...Words], description: string) =>
  Type.Optional(Type.Enum(words, { description }))

/** One ledger. Defaults follow 16 CFR 310.4(b)(4), except the window: a day is the strictest. */
export const ledgerSetting = Type.Object(
  {
    maxAbandonRate: Type.Number({ minimum: 0, maximum: 0.03, description: 'Abandoned calls per answered call.' }),
    window: oneOf(
      ['day', '24hours', 'month', '30days'],
      'A calendar day (the default), any 24 hours, a calendar month, or each 30 days after 30 days, from `since` on.',
    ),
    since: Type.Optional(Type.String({ pattern: DATE, description: 'With 30days: the first day of the campaign.' })),
    scope: oneOf(
      ['campaign', 'client', 'callerId'],
      'The calls that count: of the campaign (default), of the client (the corporation), or of the caller id.',
    ),
    denominator: oneOf(
      ['answeredByPerson', 'allAnswered'],
      'The answers that count: those of persons (default), or also those of machines.',
    ),
    waitSeconds: Type.Optional(
      Type.Number({
        minimum: 0.5,
        maximum: 5,
        description: 'Seconds that a person waits for an agent before the call counts as abandoned. Default 2.',
      }),
    ),
    waitFrom: oneOf(
      ['greeting', 'answer'],
      'Start of the wait: when a person is detected (default), or when the call is answered.',
    ),
  },
  { additionalProperties: false },
)

type LedgerSetting = Type.Static<typeof ledgerSetting>

/** Default wait of a person: 16 CFR 310.4(b)(4)(iii). */
const AGENT_WAIT_MS = 2_000
const HOUR_MS = 3_600_000

/** The rules of a campaign: `ledgers`, and `maxAbandonRate` as the limit of a day if set. */
export function ledgerRules(
  maxAbandonRate: number | undefined,
  ledgers: readonly LedgerSetting[],
  timeZone: string,
): LedgerRule[] {
  const ofDay = maxAbandonRate === undefined ? [] : [ruleOf({ maxAbandonRate }, 'maxAbandonRate', timeZone)]
  return [...ofDay, ...ledgers.map((setting, place) => ruleOf(setting, `ledgers[${place}]`, timeZone))]
}

/** The shortest wait of all ledgers, because each must be kept. */
export function agentWaitMs(ledgers: readonly LedgerSetting[]): number {
  const waits = ledgers.map(({ waitSeconds }) => (waitSeconds === undefined ? AGENT_WAIT_MS : waitSeconds * 1_000))
  return waits.length === 0 ? AGENT_WAIT_MS : Math.min(...waits)
}

/** Checks that the schema cannot express, by index in `ledgers`. */
export function wrongLedgers(
  ledgers: readonly LedgerSetting[],
  isDetecting: boolean,
): { readonly path: string; readonly why: string }[] {
  return ledgers.flatMap(({ window, since, waitFrom }, place) => {
    const problems: { path: string; why: string }[] = []
    const say = (field: string, why: string) => problems.push({ path: `ledgers[${place}].${field}`, why })
    if (window === '30days' && since === undefined)
      say('since', 'is required with 30days; give the first day of the campaign')
    if (window !== '30days' && since !== undefined) say('since', 'is allowed with window 30days only; remove it')
    if (since !== undefined && !isDate(since)) say('since', 'must be a date such as 2026-12-24')
    // The detection alone takes about as long as the allowed wait.
    if (waitFrom === 'answer' && isDetecting) {
      say(
        'waitFrom',
        'cannot be answer while machineDetection is on, which takes 2 to 3 s after each answer; turn one of them off',
      )
    }
    return problems
  })
}

/** The setting of this rule. */
export function ledgerSettingOf({ capBasisPoints, window, scope, denominator }: LedgerRule): LedgerSetting {
  const words = { day: 'day', rolling: '24hours', calendarMonth: 'month', successive: '30days' } as const
  return {
    maxAbandonRate: capBasisPoints / 10_000,
    window: words[window.kind],
    scope,
    denominator,
    ...(window.kind === 'successive' && { since: window.since }),
  }
}

function ruleOf(setting: LedgerSetting, name: string, timeZone: string): LedgerRule {
  const { maxAbandonRate, scope = 'campaign', denominator = 'answeredByPerson' } = setting
  // Rounded down: a fraction of a basis point never adds a call.
  const capBasisPoints = Math.floor(Number((maxAbandonRate * 10_000).toFixed(6)))
  return { name, capBasisPoints, window: windowOf(setting, timeZone), scope, denominator }
}

function windowOf({ window = 'day', since = '1970-01-01' }: LedgerSetting, timeZone: string): LedgerWindow {
  switch (window) {
    case 'day':
      return { kind: 'day', timeZone }
    case '24hours':
      return { kind: 'rolling', lengthMs: 24 * HOUR_MS }
    case 'month':
      return { kind: 'calendarMonth', timeZone }
    case '30days':
      return { kind: 'successive', days: 30, since, timeZone }
  }
}
