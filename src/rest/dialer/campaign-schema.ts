/** A campaign (call code) on the wire (D-14). Settings have the same names everywhere. */
import { type TObject, type TSchema, Type } from 'typebox'
import { type CampaignSettings, campaignSettings } from '../../dialer/campaign-settings.ts'
import { campaignOf, withDefaults } from '../../dialer/stored-campaign.ts'
import type { TrunkNumbers } from '../../dialer/trunk-choice.ts'
import { whyMute } from '../../dialer/why-mute.ts'
import type { ExternalSystemId, TeamId, TeamName } from '../../kernel/ids.ts'
import type { KeptCampaign } from '../../ports/dialer-admin-repository.ts'
import { laxFields } from '../http/lax-body.ts'
import { Id } from '../http/list-params.ts'
import { field, flag, instant, int, intOrNull, nestedOrNull, ref, shape, text, textOrNull } from '../http/shape.ts'

/** Names of settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(campaignSettings.properties)

/** Null resets a setting to its default. */
const shown = Object.fromEntries(
  Object.entries<TSchema & { readonly description?: string }>(campaignSettings.properties).map(([name, setting]) => {
    const { description } = setting
    return [name, Type.Optional(Type.Union([setting, Type.Null()], description === undefined ? {} : { description }))]
  }),
)

const reference = <const Key extends string>(key: Key, description: string) =>
  Type.Optional(
    Type.Union([Type.Object({ [key]: Id(description) } as Record<Key, ReturnType<typeof Id>>), Type.Null()]),
  )

const FIELDS = {
  callCode: Type.Optional(Id('Code of the campaign; for a new campaign it may be chosen, otherwise it is assigned')),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  active: Type.Optional(Type.Boolean({ description: 'False: the campaign places no calls.' })),
  corporation: Type.Optional(Type.Object({ corpId: Id('The owner; it cannot be changed') })),
  externalSystem: reference('itsyId', 'The external system'),
  queue: reference('ucquId', 'The team whose agents take the calls'),
}

const closed = { additionalProperties: false } as const

/** What is read: the dialer's own rules check settings. */
export const CampaignIn = Type.Object({ ...FIELDS, ...laxFields(campaignSettings) }, closed)

/** One, or many under `callCodes`. */
const oneOrMany = <Campaign extends TObject>(campaign: Campaign) =>
  Type.Object(
    { ...campaign.properties, callCodes: Type.Optional(Type.Array(campaign, { minItems: 1, maxItems: 100 })) },
    closed,
  )

export const CampaignsIn = oneOrMany(CampaignIn)

/** A request as a client sends it. */
export const CampaignsShown = oneOrMany(Type.Object({ ...FIELDS, ...shown }, closed))

type Shown = KeptCampaign & { readonly missing: readonly string[] }

const SYSTEM = shape<{ readonly id: ExternalSystemId; readonly code: string | null }>({
  itsyId: int(({ id }) => id),
  systemCode: textOrNull(({ code }) => code),
})
const QUEUE = shape<{ readonly id: TeamId | null; readonly name: TeamName }>({
  ucquId: intOrNull(({ id }) => id),
  name: text(({ name }) => name),
})
/** All fields but the settings. */
const CAMPAIGN = shape<Shown>({
  callCode: int(({ id }) => id),
  name: text(({ name }) => name),
  active: flag(({ active }) => active),
  corporation: ref('corpId', ({ corporation }) => corporation),
  externalSystem: nestedOrNull(SYSTEM, ({ externalSystem: id, externalSystemCode: code }) =>
    id === undefined ? null : { id, code },
  ),
  queue: nestedOrNull(QUEUE, ({ team: name, teamId: id }) => (name === undefined ? null : { id, name })),
  pausedReason: textOrNull(
    ({ pausedReason }) => pausedReason,
    'Why the dialer paused the campaign, such as too many failed calls; active: true resumes it. Null otherwise.',
  ),
  ready: flag(({ missing }) => missing.length === 0, 'Whether it can dial. Active or not is another question.'),
  missing: field(
    Type.Array(Type.String(), {
      description:
        'The settings that are missing or wrong, some with the reason in brackets; empty if the campaign is ready. ' +
        'With a caller id that is not on its trunk a campaign accepts call tasks and dials none; with any other ' +
        'entry it does not accept call tasks.',
    }),
    ({ missing }) => missing,
  ),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When it was created.'),
  updateTs: instant(({ updatedAtMs }) => updatedAtMs, 'When it was last changed.'),
})

/** A campaign as answers show it, with all defaults. */
export const CampaignOut = Type.Object({ ...CAMPAIGN.schema.properties, ...campaignSettings.properties })

/** The contract calls the team a queue. */
const NAMES: Readonly<Record<string, string>> = { team: 'queue' }

/** The object itself, beside the trunks of this node. */
export function campaignOut(campaign: KeptCampaign, trunks: readonly TrunkNumbers[]) {
  const reading = campaignOf(campaign)
  const missing =
    'missing' in reading ? reading.missing.map((name) => NAMES[name] ?? name) : whyMute(reading.campaign, trunks)
  return { ...CAMPAIGN.show({ ...campaign, missing }), ...withDefaults(campaign.settings as CampaignSettings) }
}
