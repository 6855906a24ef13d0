/** Over which trunks a campaign may dial, and why it may dial over none (campaigns-44, campaigns-97). */
import { callerIdsOf } from './caller-ids.ts'
import type { Campaign } from './campaign.ts'

/** A trunk of the configuration, and our own numbers on it. */
export interface TrunkNumbers {
  readonly name: string
  readonly callerIds: readonly string[]
}

type Dialing = Pick<Campaign, 'trunk' | 'nextTrunks' | 'callerId' | 'callerIds'>

/**
 * In their order: the first trunk of the campaign, and the further ones where all of its caller ids are ours. `find`
 * gives the trunk of a name, and the first one of the configuration without a name.
 */
export function trunksFor<Trunk extends TrunkNumbers>(
  campaign: Dialing,
  find: (name: string | undefined) => Trunk | undefined,
): Trunk[] {
  const ids = callerIdsOf(campaign)
  const owns = ({ callerIds }: Trunk) => ids.every((id) => callerIds.includes(id))
  const first = find(campaign.trunk)
  const next = campaign.nextTrunks.map(find).filter((trunk) => trunk !== undefined)
  return [...(first ? [first] : []), ...next.filter(owns)]
}

/** The settings because of which the gate refuses every call as `callerIdNotOurs`, each with the reason. */
export function foreignCallerIds(campaign: Dialing, trunks: readonly TrunkNumbers[]): string[] {
  const find = (name: string | undefined) => trunks.find((trunk) => name === undefined || trunk.name === name)
  const [trunk] = trunksFor(campaign, find)
  if (!trunk) {
    const { trunk: name } = campaign
    if (name === undefined) return ['trunk (the configuration has no trunk)']
    return [`trunk (the configuration has no trunk ${name} with the caller ids of the campaign)`]
  }
  const { callerId, callerIds } = campaign
  const shown = [['callerId', callerId], ...callerIds.map(({ number }, at) => [`callerIds[${at}].number`, number])]
  return shown.flatMap(([setting, number]) => {
    if (trunk.callerIds.includes(number!)) return []
    return [`${setting} (${number} is not one of the callerIds of the trunk ${trunk.name})`]
  })
}
