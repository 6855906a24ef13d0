import type { PhoneNumber } from '../kernel/ids.ts'
import type { Campaign as StoredCampaign } from '../ports/dialer-repository.ts'
import type { CallHours } from './call-window.ts'
import type { Campaign, SpokenText } from './campaign.ts'
import { type CampaignSettings, campaignSettings, readSettings } from './campaign-settings.ts'
import { holidaysOf } from './holidays.ts'
import { agentWaitMs, ledgerRules, ledgerSettingOf } from './ledger-settings.ts'
import { countryOf } from './phone-number.ts'
import { zonesOfCountry } from './phone-zone.ts'

/** Ready to dial, or the missing settings (D-07, 12): their names, or sentences about invalid ones. */
type CampaignReading = { readonly campaign: Campaign } | { readonly missing: readonly string[] }

const DAY_MS = 24 * 3_600_000
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
  ringTimeoutSeconds: 25,
  wrapUpMode: 'timed',
  wrapUpSeconds: 20,
  machineDetection: { enabled: false },
  recording: { mode: 'off' },
  frequencyCap: { calls: 7, days: 7 },
  afterDropped: 'quietAndAgent',
  skipInvalidNumbers: false,
  dropStoppedNumbers: false,
  feedbackQuarantineDays: 30,
  requiresPopup: false,
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
  const { frequencyCap, imports, machineDetection, recording, wrapUp, messages } = campaign
  const { announcement } = recording
  const waitSeconds = campaign.agentWaitMs / 1_000
  return {
    callerId: campaign.callerId,
    ...(campaign.trunk === undefined ? {} : { trunk: campaign.trunk }),
    dialMode: campaign.mode,
    parallelCalls: campaign.parallelNumbers,
    pacing: campaign.pacing,
    ...(campaign.shadowPacing === undefined ? {} : { shadowPacing: campaign.shadowPacing }),
    linesPerAgent: campaign.linesPerAgent,
    linesPerAgentMax: campaign.linesPerAgentMax,
    ledgers: campaign.ledgers.map((rule) => ({ ...ledgerSettingOf(rule), waitSeconds })),
    ringTimeoutSeconds: campaign.ringTimeoutMs / 1_000,
    wrapUpMode: wrapUp.kind,
    ...(wrapUp.kind === 'timed' ? { wrapUpSeconds: wrapUp.lengthMs / 1_000 } : {}),
    callWindows: campaign.hours.windows.map(({ weekdays, fromMinute, toMinute }) => {
      const [from, to] = [timeOf(fromMinute), timeOf(toMinute)]
      return { days: [...weekdays], from, to, timeZone: campaign.timeZone }
    }),
    holidayCalendar: 'none',
    holidays: [...campaign.hours.holidays],
    machineDetection:
      machineDetection === 'off'
        ? { enabled: false }
        : { enabled: true, action: machineDetection === 'hangUp' ? 'hangup' : 'leaveMessage' },
    recording: {
      mode: recording.mode,
      ...(announcement ? { announcement: announcement.text, language: announcement.language } : {}),
    },
    messages: { ...messages },
    allowedDestinations: [...campaign.allowedCountries],
    frequencyCap: {
      calls: frequencyCap.callsMax,
      days: frequencyCap.windowMs / DAY_MS,
      quietDaysAfterTalk: frequencyCap.quietAfterTalkMs / DAY_MS,
    },
    afterDropped: campaign.afterDropped,
    skipInvalidNumbers: imports.skipInvalidNumbers,
    dropStoppedNumbers: imports.dropStoppedNumbers,
    feedbackQuarantineDays: imports.feedbackQuarantineMs / DAY_MS,
    requiresPopup: imports.requiresPopup,
  }
}

function identityOf({ id, name, active, settings }: StoredCampaign) {
  const trunk = (settings as CampaignSettings).trunk
  return { id, name, isActive: active, trunk, rules: RULES, minRingMs: MIN_RING_MS }
}

function figuresOf(settings: FilledSettings, timeZone: string) {
  const { machineDetection, frequencyCap, maxAbandonRate, ledgers = [] } = settings
  return {
    mode: settings.dialMode,
    pacing: settings.pacing,
    shadowPacing: settings.shadowPacing,
    linesPerAgent: settings.linesPerAgent,
    linesPerAgentMax: settings.linesPerAgentMax,
    parallelNumbers: settings.parallelCalls,
    ledgers: ledgerRules(maxAbandonRate, ledgers, timeZone),
    agentWaitMs: agentWaitMs(ledgers),
    ringTimeoutMs: settings.ringTimeoutSeconds * 1_000,
    machineDetection: machineDetection.enabled
      ? machineDetection.action === 'leaveMessage'
        ? ('leaveMessage' as const)
        : ('hangUp' as const)
      : ('off' as const),
    wrapUp:
      settings.wrapUpMode === 'byHand'
        ? { kind: 'byHand' as const }
        : { kind: 'timed' as const, lengthMs: settings.wrapUpSeconds * 1_000 },
    recording: recordingOf(settings.recording),
    messages: messagesOf(settings),
    timeZone,
    frequencyCap: {
      callsMax: frequencyCap.calls,
      windowMs: frequencyCap.days * DAY_MS,
      quietAfterTalkMs: (frequencyCap.quietDaysAfterTalk ?? 0) * DAY_MS,
    },
    afterDropped: settings.afterDropped,
    imports: {
      skipInvalidNumbers: settings.skipInvalidNumbers,
      dropStoppedNumbers: settings.dropStoppedNumbers,
      feedbackQuarantineMs: settings.feedbackQuarantineDays * DAY_MS,
      requiresPopup: settings.requiresPopup,
    },
  }
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

function hoursOf({ callWindows = [], holidayCalendar, holidays = [] }: CampaignSettings, country?: string): CallHours {
  const listed = holidaysOf(holidayCalendar ?? country ?? 'none') ?? []
  return {
    windows: callWindows.map(({ days, from, to }) => ({
      weekdays: days,
      fromMinute: minuteOf(from),
      toMinute: minuteOf(to),
    })),
    holidays: holidays.length === 0 ? listed : [...listed, ...holidays],
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
