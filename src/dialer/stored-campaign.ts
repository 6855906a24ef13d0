import type { PhoneNumber } from '../kernel/ids.ts'
import type { Campaign as StoredCampaign } from '../ports/dialer-repository.ts'
import type { SupervisionRule } from '../ports/supervision.ts'
import type { CallHours } from './call-window.ts'
import type { CallerIdRule } from './caller-ids.ts'
import type { Campaign, FrequencyCap, RetryAfter, SpokenText } from './campaign.ts'
import { type CampaignSettings, campaignSettings, readSettings } from './campaign-settings.ts'
import { holidaysOf } from './holidays.ts'
import { agentWaitMs, ledgerRules, ledgerSettingOf } from './ledger-settings.ts'
import { countryOf } from './phone-number.ts'
import { zonesOfCountry } from './phone-zone.ts'

/** Ready to dial, or the missing settings (D-07, 12): their names, or sentences about invalid ones. */
export type CampaignReading = { readonly campaign: Campaign } | { readonly missing: readonly string[] }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** 16 CFR 310.4(b)(4)(ii). */
const MIN_RING_MS = 15_000
/** Name and version of the defaults below; each permit repeats it. */
const RULES = 'switchboard-1'

/** Defaults. Our choice: the values that dial less. The caps are those of D-14. */
const DEFAULTS = {
  dialMode: 'preview',
  parallelCalls: 1,
  pacing: 'price',
  linesPerAgent: 1,
  linesPerAgentMax: 6,
  weight: 1,
  ringTimeoutSeconds: 25,
  wrapUpMode: 'timed',
  wrapUpSeconds: 20,
  machineDetection: { enabled: false },
  recording: { mode: 'off' },
  frequencyCap: { calls: 7, days: 7 },
  quietMinutesAfterInbound: 5,
  voicemailMessagesMax: 1,
  afterDropped: 'quietAndAgent',
  callbackAgentMinutes: 10,
  callbackRetryMinutes: 10,
  retryMinutes: {},
  retryPartOfDay: {},
  skipInvalidNumbers: false,
  acceptPossibleNumbers: false,
  dropStoppedNumbers: false,
  feedbackQuarantineDays: 30,
  requiresPopup: false,
  previewSeconds: 60,
  previewSkipsMax: 3,
  resultWindowMinutes: 15,
} as const satisfies CampaignSettings

const LANGUAGE = 'en'
/** Names neither caller nor reason, because anybody may hear it. */
const MESSAGES: Readonly<Record<keyof Campaign['messages'], string>> = {
  dropped: 'We are sorry: we called you, and nobody is free to talk to you. Goodbye.',
  apology: 'One moment, please.',
  voicemail: 'We tried to reach you, and will call again.',
}

/** The campaign for the dialer; `missing` lists the required settings that are absent. */
export function campaignOf(stored: StoredCampaign): CampaignReading {
  const read = readSettings(knownOnly(stored.settings))
  if ('problems' in read) return { missing: read.problems.map(({ message }) => message) }
  const { callerId, callWindows = [] } = read
  const country = callerId === undefined ? undefined : countryOf(callerId)
  const timeZone = zoneOf(read)
  const allowedCountries = read.allowedDestinations ?? (country === undefined ? [] : [country])
  const missing = [
    ...(stored.team === undefined ? ['team'] : []),
    ...(callerId === undefined ? ['callerId'] : []),
    ...(callWindows.length === 0 ? ['callWindows'] : []),
    ...(callWindows.length > 0 && timeZone === undefined ? ['callWindows[0].timeZone'] : []),
    ...(callerId !== undefined && allowedCountries.length === 0 ? ['allowedDestinations'] : []),
  ]
  if (stored.team === undefined || callerId === undefined || timeZone === undefined) return { missing }
  if (missing.length > 0) return { missing }
  const found = { team: stored.team, callerId: callerId as PhoneNumber, timeZone, allowedCountries }
  const hours = hoursOf(read, country)
  return { campaign: { ...identityOf(stored), ...found, hours, ...figuresOf(withDefaults(read), timeZone) } }
}

/** The zone of its days; undefined if neither call windows nor caller id determine it. */
export function campaignZone(stored: StoredCampaign): string | undefined {
  const read = readSettings(knownOnly(stored.settings))
  return 'problems' in read ? undefined : zoneOf(read)
}

/** A later version may have written more. */
function knownOnly(settings: StoredCampaign['settings']): object {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => Object.hasOwn(campaignSettings.properties, name)),
  )
}

const MAX_ABANDON_RATE = 0.03

/** The settings with every default that does not depend on the callee. */
export function withDefaults(settings: CampaignSettings): FilledSettings {
  const hasLedgers = (settings.ledgers ?? []).length > 0
  return { ...DEFAULTS, ...(!hasLedgers && { maxAbandonRate: MAX_ABANDON_RATE }), ...settings }
}

type FilledSettings = CampaignSettings & Required<Pick<CampaignSettings, keyof typeof DEFAULTS>>

/** The settings from which `campaignOf` makes this campaign (D-14). */
export function settingsOf(campaign: Campaign): CampaignSettings {
  const { imports, machineDetection, recording, wrapUp, messages } = campaign
  const [{ announcement }, { calleeRegions }] = [recording, campaign.hours]
  const waitSeconds = campaign.agentWaitMs / 1_000
  return {
    callerId: campaign.callerId,
    ...(campaign.callerIds.length === 0 ? {} : { callerIds: callerIdSettings(campaign) }),
    ...(campaign.trunk === undefined ? {} : { trunk: campaign.trunk }),
    ...(campaign.nextTrunks.length === 0 ? {} : { trunks: [...campaign.nextTrunks] }),
    dialMode: campaign.mode,
    parallelCalls: campaign.parallelNumbers,
    pacing: campaign.pacing,
    ...(campaign.shadowPacing === undefined ? {} : { shadowPacing: campaign.shadowPacing }),
    linesPerAgent: campaign.linesPerAgent,
    linesPerAgentMax: campaign.linesPerAgentMax,
    ...settingsOfOrders(campaign),
    ledgers: campaign.ledgers.map((rule) => ({ ...ledgerSettingOf(rule), waitSeconds })),
    ringTimeoutSeconds: campaign.ringTimeoutMs / 1_000,
    wrapUpMode: wrapUp.kind,
    ...(wrapUp.kind === 'timed' ? { wrapUpSeconds: wrapUp.lengthMs / 1_000 } : {}),
    callWindows: campaign.hours.windows.map(({ weekdays, fromMinute, toMinute }) => {
      const [from, to] = [timeOf(fromMinute), timeOf(toMinute)]
      return { days: [...weekdays], from, to, timeZone: campaign.timeZone }
    }),
    ...(calleeRegions === undefined ? { holidayCalendar: 'none' } : { holidayRegions: [...calleeRegions] }),
    holidays: [...campaign.hours.holidays],
    machineDetection:
      machineDetection === 'off'
        ? { enabled: false }
        : {
            enabled: true,
            action: machineDetection === 'hangUp' ? 'hangup' : 'leaveMessage',
            ...(campaign.machineErrorMax !== undefined && { maxErrorPercent: campaign.machineErrorMax * 100 }),
          },
    recording: {
      mode: recording.mode,
      ...(announcement ? { announcement: announcement.text, language: announcement.language } : {}),
    },
    supervision: campaign.supervision,
    messages: { ...messages },
    allowedDestinations: [...campaign.allowedCountries],
    ...capSettingsOf(campaign),
    quietMinutesAfterInbound: campaign.quietAfterInboundMs / MINUTE_MS,
    voicemailMessagesMax: campaign.voicemailMessagesMax,
    afterDropped: campaign.afterDropped,
    callbackAgentMinutes: campaign.callbacks.keptMs / MINUTE_MS,
    callbackRetryMinutes: campaign.callbacks.retryMs / MINUTE_MS,
    ...(campaign.queueCallbacks && { queueCallbacks: true }),
    retryMinutes: mapValues(campaign.retryAfterMs, (ms) => ms / MINUTE_MS),
    retryPartOfDay: campaign.retryPart,
    skipInvalidNumbers: imports.skipInvalidNumbers,
    ...(campaign.acceptsPossibleNumbers && { acceptPossibleNumbers: true }),
    dropStoppedNumbers: imports.dropStoppedNumbers,
    feedbackQuarantineDays: imports.feedbackQuarantineMs / DAY_MS,
    requiresPopup: imports.requiresPopup,
    previewSeconds: campaign.previewMs / 1_000,
    previewSkipsMax: campaign.previewSkipsMax,
    resultWindowMinutes: campaign.resultWindowMs / 60_000,
  }
}

function callerIdSettings({ callerIds }: Campaign) {
  return callerIds.map(({ number, destinations }) => ({ number, destinations: [...destinations] }))
}

function mapValues(given: RetryAfter, change: (figure: number) => number): RetryAfter {
  return Object.fromEntries(Object.entries(given).map(([result, figure]) => [result, change(figure)]))
}

type CapSetting = NonNullable<CampaignSettings['frequencyCaps']>[number]

function capOf({ calls, hours = 0, days = 0, per = 'person', window = 'rolling' }: CapSetting): FrequencyCap {
  return { callsMax: calls, windowMs: hours * HOUR_MS + days * DAY_MS, per, window }
}

/** The first cap is the setting `frequencyCap`. */
function capSettingsOf({ frequencyCaps, quietAfterTalkMs }: Campaign) {
  const [first, ...further] = frequencyCaps
  return {
    ...(first && {
      frequencyCap: {
        calls: first.callsMax,
        days: first.windowMs / DAY_MS,
        quietDaysAfterTalk: quietAfterTalkMs / DAY_MS,
      },
    }),
    ...(further.length > 0 && {
      frequencyCaps: further.map(({ callsMax, windowMs, per, window }) => {
        const isInDays = windowMs % DAY_MS === 0
        return {
          calls: callsMax,
          ...(isInDays ? { days: windowMs / DAY_MS } : { hours: windowMs / HOUR_MS }),
          per,
          window,
        }
      }),
    }),
  }
}

function identityOf({ id, name, active, settings }: StoredCampaign) {
  const { trunk: only, trunks = [] } = settings as CampaignSettings
  const [trunk, ...nextTrunks] = new Set(only === undefined ? trunks : [only, ...trunks])
  return { id, name, isActive: active, trunk, nextTrunks, rules: RULES, minRingMs: MIN_RING_MS }
}

function figuresOf(settings: FilledSettings, timeZone: string) {
  const { machineDetection, frequencyCap, frequencyCaps = [], maxAbandonRate, ledgers = [] } = settings
  return {
    callerIds: (settings.callerIds ?? []) as readonly unknown[] as readonly CallerIdRule[],
    mode: settings.dialMode,
    pacing: settings.pacing,
    shadowPacing: settings.shadowPacing,
    linesPerAgent: settings.linesPerAgent,
    linesPerAgentMax: settings.linesPerAgentMax,
    weight: settings.weight,
    newPercent: settings.newPercent,
    ...ordersOf(settings),
    parallelNumbers: settings.parallelCalls,
    ledgers: ledgerRules(maxAbandonRate, ledgers, timeZone),
    agentWaitMs: agentWaitMs(ledgers),
    ringTimeoutMs: settings.ringTimeoutSeconds * 1_000,
    machineDetection: machineDetection.enabled
      ? machineDetection.action === 'leaveMessage'
        ? ('leaveMessage' as const)
        : ('hangUp' as const)
      : ('off' as const),
    machineErrorMax:
      machineDetection.maxErrorPercent === undefined ? undefined : machineDetection.maxErrorPercent / 100,
    wrapUp:
      settings.wrapUpMode === 'byHand'
        ? { kind: 'byHand' as const }
        : { kind: 'timed' as const, lengthMs: settings.wrapUpSeconds * 1_000 },
    recording: recordingOf(settings.recording),
    supervision: settings.supervision ?? supervisionBy(settings.recording),
    messages: messagesOf(settings),
    timeZone,
    frequencyCaps: [frequencyCap, ...frequencyCaps].map(capOf),
    quietAfterTalkMs: (frequencyCap.quietDaysAfterTalk ?? 0) * DAY_MS,
    quietAfterInboundMs: settings.quietMinutesAfterInbound * MINUTE_MS,
    voicemailMessagesMax: settings.voicemailMessagesMax,
    afterDropped: settings.afterDropped,
    callbacks: {
      keptMs: settings.callbackAgentMinutes * MINUTE_MS,
      retryMs: settings.callbackRetryMinutes * MINUTE_MS,
    },
    ...(settings.queueCallbacks && { queueCallbacks: true }),
    ...(settings.agentsDialNumbers && { agentsDialNumbers: true }),
    ...(settings.acceptPossibleNumbers && { acceptsPossibleNumbers: true }),
    retryAfterMs: mapValues(settings.retryMinutes, (minutes) => minutes * MINUTE_MS),
    retryPart: settings.retryPartOfDay,
    imports: {
      skipInvalidNumbers: settings.skipInvalidNumbers,
      dropStoppedNumbers: settings.dropStoppedNumbers,
      feedbackQuarantineMs: settings.feedbackQuarantineDays * DAY_MS,
      requiresPopup: settings.requiresPopup,
    },
    previewMs: settings.previewSeconds * 1_000,
    previewSkipsMax: settings.previewSkipsMax,
    resultWindowMs: settings.resultWindowMinutes * 60_000,
  }
}

/** Who may not record without consent may not let others listen either. */
function supervisionBy({ mode }: NonNullable<CampaignSettings['recording']>): SupervisionRule {
  return mode === 'consent' ? 'refused' : 'told'
}

function recordingOf({ mode, announcement, language = LANGUAGE }: NonNullable<CampaignSettings['recording']>) {
  return announcement === undefined ? { mode } : { mode, announcement: { text: announcement, language } }
}

function messagesOf({ messages = {} }: CampaignSettings): Campaign['messages'] {
  const message = (name: keyof Campaign['messages']): SpokenText => {
    const { text = MESSAGES[name], language = LANGUAGE } = messages[name] ?? {}
    return { text, language }
  }
  return { dropped: message('dropped'), apology: message('apology'), voicemail: message('voicemail') }
}

function ordersOf({ serviceGoal, startsAt, endsAt, slowDown }: CampaignSettings) {
  const { linesPerAgentMax, oneToOne: isOneToOne = false, until } = slowDown ?? {}
  const untilAtMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until)
  return {
    serviceGoal: serviceGoal && { share: serviceGoal.percent / 100, withinMs: serviceGoal.withinSeconds * 1_000 },
    ...(startsAt !== undefined && { startsAtMs: Date.parse(startsAt) }),
    endsAtMs: endsAt === undefined ? undefined : Date.parse(endsAt),
    slowDown: slowDown && { linesPerAgentMax, isOneToOne, untilAtMs },
  }
}

function settingsOfOrders({
  weight,
  newPercent,
  serviceGoal,
  startsAtMs,
  endsAtMs,
  slowDown,
  agentsDialNumbers,
}: Campaign): CampaignSettings {
  const { linesPerAgentMax, isOneToOne: oneToOne = false, untilAtMs = Number.POSITIVE_INFINITY } = slowDown ?? {}
  const until = Number.isFinite(untilAtMs) ? { until: new Date(untilAtMs).toISOString() } : {}
  return {
    weight,
    ...(agentsDialNumbers && { agentsDialNumbers }),
    ...(newPercent === undefined ? {} : { newPercent }),
    ...(serviceGoal && {
      serviceGoal: { percent: serviceGoal.share * 100, withinSeconds: serviceGoal.withinMs / 1_000 },
    }),
    ...(startsAtMs !== undefined && { startsAt: new Date(startsAtMs).toISOString() }),
    ...(endsAtMs !== undefined && { endsAt: new Date(endsAtMs).toISOString() }),
    ...(slowDown && {
      slowDown: { ...(linesPerAgentMax !== undefined && { linesPerAgentMax }), oneToOne, ...until },
    }),
  }
}

function hoursOf(settings: CampaignSettings, country?: string): CallHours {
  const { callWindows = [], holidayCalendar, holidays = [], holidayRegions = [] } = settings
  const listed = holidaysOf(holidayCalendar ?? country ?? 'none') ?? []
  return {
    windows: callWindows.map(({ days, from, to }) => ({
      weekdays: days,
      fromMinute: minuteOf(from),
      toMinute: minuteOf(to),
    })),
    holidays: holidays.length === 0 ? listed : [...new Set([...listed, ...holidays])],
    ...(holidayCalendar !== 'none' && { calleeRegions: holidayRegions }),
  }
}

function zoneOf({ callerId, callWindows }: CampaignSettings): string | undefined {
  return callWindows?.[0]?.timeZone ?? onlyZoneOf(callerId === undefined ? undefined : countryOf(callerId))
}

function onlyZoneOf(country: string | undefined): string | undefined {
  const zones = country === undefined ? [] : zonesOfCountry(country)
  return zones.length === 1 ? zones[0] : undefined
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

function timeOf(minute: number): string {
  const two = (figure: number) => String(figure).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
