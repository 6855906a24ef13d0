/** Settings of a campaign (D-14). One schema checks requests, documents the API and reads stored settings. */

import { isSupportedCountry } from 'libphonenumber-js/max'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { instantOf, isDate } from '../kernel/instant.ts'
import { isZone } from './call-window.ts'
import { callerIdSetting, wrongCallerIds } from './caller-ids.ts'
import { frequencyCapSetting } from './frequency-cap-setting.ts'
import { HOLIDAY_CALENDARS, isRegion } from './holidays.ts'
import { ledgerSetting, wrongLedgers } from './ledger-settings.ts'
import { machineDetectionSetting } from './machine-detection-setting.ts'
import { isPhoneNumber } from './phone-number.ts'
import { scriptSetting, wrongScript } from './script-setting.ts'

const closed = { additionalProperties: false } as const
const oneOf = <const Words extends string[]>(words: [...Words]) => Type.Enum(words)
const TIME_OF_DAY = '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$'

/** Up to two weeks. */
const minutesAfter = (what: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 20_160, description: `Least minutes after ${what}.` }))

const partOfDay = (what: string) =>
  Type.Optional(
    Type.Enum(['next', 'best'], {
      description: `After ${what}: the next part of the day, or the better of the other two by the campaign's answers.`,
    }),
  )

const spoken = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 500 }),
    language: Type.Optional(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$' })),
  },
  closed,
)

const callWindow = Type.Object(
  {
    days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      minItems: 1,
      maxItems: 7,
      description: '1 is Monday, 7 is Sunday.',
    }),
    from: Type.String({ pattern: TIME_OF_DAY, description: 'Wall time where the callee lives, such as 08:00.' }),
    to: Type.String({ pattern: TIME_OF_DAY, description: 'Up to but without this minute; 24:00 is midnight.' }),
    timeZone: Type.Optional(Type.String({ maxLength: 64, description: 'An IANA zone; the same one in all windows.' })),
  },
  closed,
)

/** RFC 3339 with an offset: without one an instant is ambiguous. */
const instant = (description: string) =>
  Type.String({
    maxLength: 40,
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$',
    description,
  })

/** Every field is optional. Limits and their sources stand beside the fields. */
export const campaignSettings = Type.Object(
  {
    callerId: Type.Optional(Type.String({ maxLength: 16, description: 'The number that callees see: + and digits.' })),
    callerIds: Type.Optional(
      Type.Array(callerIdSetting, {
        maxItems: 100,
        description:
          'Further numbers that callees see, each for its destinations: the longest prefix first, then the country, ' +
          'else callerId. Of several for the same destination each person always sees the same one.',
      }),
    ),
    trunk: Type.Optional(Type.String({ maxLength: 40, description: 'Name of a carrier in the configuration.' })),
    trunks: Type.Optional(
      Type.Array(Type.String({ maxLength: 40 }), {
        maxItems: 8,
        description:
          'Names of carriers in their order: the next one takes over while calls over the ones before fail. ' +
          'With `trunk`, that one comes first.',
      }),
    ),
    dialMode: Type.Optional(oneOf(['manual', 'preview', 'progressive', 'power', 'predictive'])),
    parallelCalls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10,
        description:
          'Numbers of one call task that ring at the same time. Each one beside the first needs room for an ' +
          'abandoned call in every ledger.',
      }),
    ),
    linesPerAgent: Type.Optional(
      Type.Number({ minimum: 1, maximum: 6, description: 'Lines for each idle agent, in mode power.' }),
    ),
    pacing: Type.Optional(
      Type.Enum(['price', 'risk', 'ratio'], {
        description: 'How mode predictive decides: policy E, algorithm B or algorithm A; price if absent.',
      }),
    ),
    shadowPacing: Type.Optional(
      Type.Enum(['price', 'risk', 'ratio', 'oneToOne'], {
        description: 'A second pacing that runs in the shadow: its decisions are shown, not dialed.',
      }),
    ),
    linesPerAgentMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 6, description: 'Maximum lines for each agent, in every mode.' }),
    ),
    weight: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Share of agents and trunk lines beside other campaigns that use the same ones. Default 1.',
      }),
    ),
    newPercent: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Share of calls to call tasks that were never called, while others are due as well.',
      }),
    ),
    serviceGoal: Type.Optional(
      Type.Object(
        {
          percent: Type.Integer({ minimum: 1, maximum: 99 }),
          withinSeconds: Type.Integer({ minimum: 1, maximum: 600 }),
        },
        {
          ...closed,
          description: 'Share of callers of the same agents who get an agent in time; agents are kept back for it.',
        },
      ),
    ),
    startsAt: Type.Optional(instant('Nothing is dialed before this instant.')),
    endsAt: Type.Optional(
      instant('From this instant on nothing is dialed: ringing phones ring out, and the campaign pauses itself.'),
    ),
    slowDown: Type.Optional(
      Type.Object(
        {
          linesPerAgentMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 6 })),
          oneToOne: Type.Optional(Type.Boolean({ description: 'At most one line for each idle agent.' })),
          until: Type.Optional(instant('End of the lower pace; absent: until the setting is removed.')),
        },
        { ...closed, description: 'A lower pace for some time.' },
      ),
    ),
    maxAbandonRate: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 0.03,
        description: 'Abandoned calls per answered call in a day; at most 3 %. Default 3 % when no ledgers are set.',
      }),
    ),
    ledgers: Type.Optional(
      Type.Array(ledgerSetting, {
        maxItems: 8,
        description: 'Limits on abandoned calls; all of them apply together.',
      }),
    ),
    ringTimeoutSeconds: Type.Optional(
      Type.Integer({ minimum: 15, maximum: 120, description: 'How long a phone rings; at least 15 s.' }),
    ),
    wrapUpMode: Type.Optional(oneOf(['timed', 'byHand'])),
    wrapUpSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 900 })),
    callWindows: Type.Optional(Type.Array(callWindow, { maxItems: 50 })),
    holidayCalendar: Type.Optional(
      Type.Enum([...HOLIDAY_CALENDARS, 'none'], {
        description:
          'Our own calendar of days without calls; default: that of the country of the caller id. Public holidays of ' +
          "the callee's country are days without calls as well, unless it is none.",
      }),
    ),
    holidayRegions: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Z]{2}-[A-Za-z0-9]{1,4}$' }), {
        maxItems: 60,
        description: 'Regions (ISO 3166-2, such as DE-BY) where callees may live: their own holidays count as well.',
      }),
    ),
    holidays: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }), {
        maxItems: 1_000,
        description: 'Further dates without calls.',
      }),
    ),
    machineDetection: Type.Optional(machineDetectionSetting),
    recording: Type.Optional(
      Type.Object(
        {
          mode: oneOf(['off', 'consent', 'always']),
          announcement: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
          transcribe: Type.Optional(
            Type.Boolean({
              description: 'False: conversations are not transcribed, even if the installation does so. Default true.',
            }),
          ),
          language: Type.Optional(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$' })),
        },
        closed,
      ),
    ),
    supervision: Type.Optional(
      Type.Enum(['told', 'untold', 'refused'], {
        description:
          'Whether supervisors may take part in conversations, and whether the agent is told. Default told; refused ' +
          'where recording is by consent.',
      }),
    ),
    messages: Type.Optional(
      Type.Object(
        { dropped: Type.Optional(spoken), apology: Type.Optional(spoken), voicemail: Type.Optional(spoken) },
        { ...closed, description: 'Messages for a person when no agent is free, and for a machine.' },
      ),
    ),
    allowedDestinations: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
        minItems: 1,
        maxItems: 60,
        description: 'Countries (ISO 3166-1) that may be called. Default: the country of the caller id.',
      }),
    ),
    frequencyCap: Type.Optional(
      Type.Object(
        {
          calls: Type.Integer({ minimum: 1, maximum: 100 }),
          days: Type.Integer({ minimum: 1, maximum: 365 }),
          quietDaysAfterTalk: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
        },
        { ...closed, description: 'Maximum calls to one person in a number of days, over all campaigns.' },
      ),
    ),
    frequencyCaps: Type.Optional(
      Type.Array(frequencyCapSetting, {
        minItems: 1,
        maxItems: 8,
        description: 'Further caps beside frequencyCap; all of them apply together.',
      }),
    ),
    quietMinutesAfterInbound: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_440,
        description: 'Minutes without a call to a person after a call from them has ended. Default 5.',
      }),
    ),
    voicemailMessagesMax: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10, description: 'Messages on machines for one call task. Default 1.' }),
    ),
    afterDropped: Type.Optional(oneOf(['quietAndAgent', 'quietOrAgent'])),
    callbackAgentMinutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 480,
        description: 'Minutes for which a callback is kept for the agent who promised it, while logged in.',
      }),
    ),
    callbackRetryMinutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 480,
        description: 'Minutes from a callback that reached nobody to its next attempt.',
      }),
    ),
    queueCallbacks: Type.Optional(
      Type.Boolean({ description: 'Callers in the queue of the team may be called back. Needs dialMode manual.' }),
    ),
    agentsDialNumbers: Type.Optional(Type.Boolean({ description: 'Agents may dial numbers. Needs dialMode manual.' })),
    retryMinutes: Type.Optional(
      Type.Object(
        {
          busy: minutesAfter('a busy line'),
          noAnswer: minutesAfter('a call that nobody answered'),
          voicemail: minutesAfter('a machine'),
        },
        {
          ...closed,
          description:
            'Least minutes from a call with this result to the next one; a longer minCallIntervalHours holds.',
        },
      ),
    ),
    retryPartOfDay: Type.Optional(
      Type.Object(
        { noAnswer: partOfDay('a call that nobody answered'), voicemail: partOfDay('a machine') },
        {
          ...closed,
          description:
            'The next call comes in another part of the day: before 12:00, before 16:00 or later, where the callee ' +
            'lives. All other rules hold as well.',
        },
      ),
    ),
    skipInvalidNumbers: Type.Optional(Type.Boolean()),
    acceptPossibleNumbers: Type.Optional(
      Type.Boolean({
        description:
          'Numbers that the bundled plan calls not in use are imported and dialed where they are possible in their ' +
          'country. Default false.',
      }),
    ),
    dropStoppedNumbers: Type.Optional(Type.Boolean()),
    feedbackQuarantineDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
    requiresPopup: Type.Optional(Type.Boolean()),
    script: Type.Optional(scriptSetting),
    previewSeconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 480 })),
    previewSkipsMax: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    resultWindowMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 240 })),
  },
  closed,
)

export type CampaignSettings = Type.Static<typeof campaignSettings>

/** `path` such as `callWindows[0].from`, and a sentence with the remedy. */
interface SettingProblem {
  readonly path: string
  readonly message: string
}

const compiled = Compile(campaignSettings)

/** Reads settings of a request or of the database; otherwise every problem with them. */
export function readSettings(given: unknown): CampaignSettings | { readonly problems: readonly SettingProblem[] } {
  const problems = compiled.Check(given) ? wrongTogether(given) : wrongShapes(given)
  return problems.length === 0 ? (given as CampaignSettings) : { problems }
}

/** The schema's errors, one for each place; a choice reports one error for all its branches. */
function wrongShapes(given: unknown): SettingProblem[] {
  const byPath = new Map<string, string>()
  for (const { instancePath, keyword, message, params } of compiled.Errors(given)) {
    if (keyword === 'additionalProperties') continue
    const path = dotted(instancePath)
    if (byPath.has(path)) continue
    const { allowedValues } = params as { readonly allowedValues?: readonly unknown[] }
    if (keyword === 'boolean') byPath.set(path, 'is not a setting of a campaign; remove it')
    else byPath.set(path, allowedValues ? `must be one of ${allowedValues.join(', ')}` : message)
  }
  return [...byPath].map(([path, message]) => ({ path, message: `${path} ${message}` }))
}

/** `/callWindows/0/from` → `callWindows[0].from`. */
function dotted(pointer: string): string {
  const path = pointer
    .slice(1)
    .replaceAll(/\/([0-9]+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
  return path === '' ? 'the settings' : path
}

function wrongTogether(settings: CampaignSettings): SettingProblem[] {
  const { callerId, callWindows = [], allowedDestinations = [], holidays = [], ledgers = [] } = settings
  const { callerIds = [], frequencyCaps = [], holidayRegions = [] } = settings
  const problems: SettingProblem[] = []
  const say = (path: string, message: string) => problems.push({ path, message: `${path} ${message}` })
  if (callerId !== undefined && !isPhoneNumber(callerId)) say('callerId', 'must be + and digits, such as +4570001000')
  for (const [place, { from, to, timeZone }] of callWindows.entries()) {
    if (to <= from) say(`callWindows[${place}].to`, 'must be later than from; write two windows to cross midnight')
    if (timeZone === undefined) continue
    if (!isZone(timeZone)) say(`callWindows[${place}].timeZone`, 'must be an IANA time zone such as Europe/Copenhagen')
    else if (timeZone !== callWindows[0]?.timeZone) {
      say(`callWindows[${place}].timeZone`, 'must be the same in all windows: hours are the local time of the callee')
    }
  }
  for (const [place, { hours, days, window }] of frequencyCaps.entries()) {
    const path = `frequencyCaps[${place}]`
    if ((hours === undefined) === (days === undefined)) say(path, 'must have either hours or days')
    else if (window === 'calendarDay' && days === undefined) say(path, 'must have days: its window is calendarDay')
    else if (window === 'calendarWeek' && (days === undefined || days % 7 > 0)) {
      say(path, 'must have days in whole weeks, such as 7: its window is calendarWeek')
    }
  }
  for (const [place, country] of allowedDestinations.entries()) {
    if (!isSupportedCountry(country)) say(`allowedDestinations[${place}]`, 'must be a country (ISO 3166-1) such as DK')
  }
  for (const [place, region] of holidayRegions.entries()) {
    if (!isRegion(region)) say(`holidayRegions[${place}]`, 'must be a region with holidays of its own, such as DE-BY')
  }
  for (const [place, date] of holidays.entries()) {
    if (!isDate(date)) say(`holidays[${place}]`, 'must be a date such as 2026-12-24')
  }
  for (const { path, why } of [...wrongCallerIds(callerIds), ...wrongTimes(settings), ...wrongScript(settings.script)])
    say(path, why)
  for (const [place, { scope }] of ledgers.entries()) {
    if (scope !== 'callerId' || callerIds.length === 0) continue
    say(`ledgers[${place}].scope`, 'cannot be callerId together with callerIds: it counts one number; use client')
  }
  for (const path of ['queueCallbacks', 'agentsDialNumbers'] as const)
    if (settings[path] && settings.dialMode !== 'manual') say(path, 'needs dialMode manual')
  for (const { path, why } of wrongLedgers(ledgers, settings.machineDetection?.enabled ?? false)) say(path, why)
  return problems
}

function wrongTimes({ startsAt, endsAt }: CampaignSettings): { readonly path: string; readonly why: string }[] {
  const times = Object.entries({ startsAt, endsAt }).filter(([, at]) => at !== undefined)
  const wrong = times.filter(([, at]) => instantOf(at!) === undefined)
  if (wrong.length > 0) return wrong.map(([path]) => ({ path, why: 'must be a date that exists' }))
  const isEmpty = times.length === 2 && Date.parse(endsAt!) <= Date.parse(startsAt!)
  return isEmpty ? [{ path: 'endsAt', why: 'must be later than startsAt' }] : []
}
