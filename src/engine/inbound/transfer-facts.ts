import { FIRST_CORPORATION, type PhoneNumber } from '../../kernel/ids.ts'
import type { AbroadUse } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { TransferTarget } from '../../ports/transfer.ts'

export type TransferRepository = Pick<DialerRepository, 'isKillSwitchOn' | 'isStopped' | 'matchCaller' | 'usedAbroad'>

/** What the gate asks the database of; undefined: it did not answer. */
export interface TransferFacts {
  readonly killSwitch: 'off' | 'on' | undefined
  readonly isStopped: boolean | undefined
  readonly hasOpenTask: boolean | undefined
  readonly abroad: readonly AbroadUse[] | undefined
}

/** Reads the facts about a target. Never rejects. */
export async function transferFacts(repository: TransferRepository, to: TransferTarget): Promise<TransferFacts> {
  const unknown = () => undefined
  const [isOn, abroad, ofNumber] = await Promise.all([
    repository.isKillSwitchOn().catch(unknown),
    repository.usedAbroad().catch(unknown),
    'number' in to ? factsOfNumber(repository, to.number).catch(unknown) : undefined,
  ])
  const killSwitch = isOn === undefined ? undefined : isOn ? 'on' : 'off'
  return { killSwitch, abroad, isStopped: ofNumber?.isStopped, hasOpenTask: ofNumber?.hasOpenTask }
}

/** The number's person, where a call task names one, may be stopped without the number. */
async function factsOfNumber(repository: TransferRepository, number: PhoneNumber) {
  const matched = await repository.matchCaller(FIRST_CORPORATION, number)
  const { externalSystem, externalCustomer } = matched ?? {}
  const person = { kind: 'person', externalSystem: externalSystem!, externalCustomer: externalCustomer! } as const
  const isPerson = externalSystem !== undefined && externalCustomer !== undefined
  const stops = await Promise.all([
    repository.isStopped(FIRST_CORPORATION, { kind: 'number', number }),
    isPerson && repository.isStopped(FIRST_CORPORATION, person),
  ])
  return { isStopped: stops.includes(true), hasOpenTask: matched?.isFinished === false }
}
