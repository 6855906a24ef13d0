/** A campaign (call code) on the wire (D-14). Settings have the same names everywhere; what it refers to has codes. */
import { type TSchema, Type } from 'typebox'
import { type CampaignSettings, campaignSettings } from '../../dialer/campaign-settings.ts'
import { campaignOf, withDefaults } from '../../dialer/stored-campaign.ts'
import type { KeptCampaign } from '../../ports/dialer-admin-repository.ts'
import { Id, InstantOut, instantText } from '../http/list-params.ts'

const SETTINGS = campaignSettings.properties as Readonly<Record<string, TSchema>>

/** Names of settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS)

/** Settings are checked by the dialer's own rules, which say more than a schema; null gives up what was set. */
const given = Object.fromEntries(
  SETTING_NAMES.map((name) => {
    const { description = '' } = SETTINGS[name] as { readonly description?: string }
    const limits = `${description} Its limits are those of the answer; null: as if it were never set.`.trim()
    return [name, Type.Optional(Type.Unknown({ description: limits }))]
  }),
)

const reference = <const Key extends string>(key: Key, description: string) =>
  Type.Optional(
    Type.Union([Type.Object({ [key]: Id(description) } as Record<Key, ReturnType<typeof Id>>), Type.Null()]),
  )

const FIELDS = {
  callCode: Type.Optional(Id('Chosen by you for a new campaign, or given by us')),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  active: Type.Optional(Type.Boolean({ description: 'False: nobody is called.' })),
  corporation: Type.Optional(Type.Object({ corpId: Id('Whose campaign it is; it cannot be changed') })),
  externalSystem: reference('itsyId', 'The external system'),
  queue: reference('ucquId', 'The team whose agents take the calls'),
}

const closed = { additionalProperties: false } as const

/** One campaign as it is asked for. */
export const CampaignIn = Type.Object({ ...FIELDS, ...given }, closed)

/** One, or many under `callCodes`. */
export const CampaignsIn = Type.Object(
  { ...FIELDS, ...given, callCodes: Type.Optional(Type.Array(CampaignIn, { minItems: 1, maxItems: 100 })) },
  closed,
)

/** A campaign as it is answered, every default filled in. */
export const CampaignOut = Type.Object({
  callCode: Type.Integer(),
  name: Type.String(),
  active: Type.Boolean(),
  corporation: Type.Object({ corpId: Type.Integer() }),
  externalSystem: Type.Union([
    Type.Object({ itsyId: Type.Integer(), systemCode: Type.Union([Type.String(), Type.Null()]) }),
    Type.Null(),
  ]),
  queue: Type.Union([
    Type.Object({ ucquId: Type.Union([Type.Integer(), Type.Null()]), name: Type.String() }),
    Type.Null(),
  ]),
  pausedReason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it paused itself, for too many of its calls failed; active: true lifts it. Else null.',
  }),
  ready: Type.Boolean({ description: 'Whether it can dial and takes call tasks.' }),
  missing: Type.Array(Type.String(), { description: 'What it lacks, where it is not ready.' }),
  creationTs: InstantOut('When it was made.'),
  updateTs: InstantOut('When it last changed.'),
  ...campaignSettings.properties,
})

/** The contract calls the team a queue. */
const NAMES: Readonly<Record<string, string>> = { team: 'queue' }

/** The object itself. */
export function campaignOut(campaign: KeptCampaign) {
  const { externalSystem, externalSystemCode, team, teamId, settings } = campaign
  const reading = campaignOf(campaign)
  const missing = 'missing' in reading ? reading.missing.map((name) => NAMES[name] ?? name) : []
  return {
    callCode: campaign.id,
    name: campaign.name,
    active: campaign.active,
    corporation: { corpId: campaign.corporation },
    externalSystem: externalSystem === undefined ? null : { itsyId: externalSystem, systemCode: externalSystemCode },
    queue: team === undefined ? null : { ucquId: teamId, name: team },
    ...withDefaults(settings as CampaignSettings),
    pausedReason: campaign.pausedReason,
    ready: missing.length === 0,
    missing,
    creationTs: instantText(campaign.createdAtMs),
    updateTs: instantText(campaign.updatedAtMs),
  }
}
