import type { UserId } from '../../kernel/ids.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { recoveryHash, stepOf } from './one-time-code.ts'

/** `missing`: a code is needed. A code that was right once is `wrong` ever after. */
export type FactorResult = 'proved' | 'missing' | 'wrong'

/** Whoever has no second factor needs none. Each code proves once, whichever of many requests comes first. */
export async function checkSecondFactor(
  { directory, clock }: Pick<RestDependencies, 'directory' | 'clock'>,
  user: UserId,
  code: string | undefined,
): Promise<FactorResult> {
  const factor = await directory.secondFactor(user)
  if (!factor?.isOn) return 'proved'
  if (code === undefined) return 'missing'
  const step = stepOf(factor.secret, code, clock.nowMs())
  const isProved =
    step === undefined
      ? await directory.useRecoveryCode(user, recoveryHash(code))
      : await directory.useOneTimeStep(user, step)
  return isProved ? 'proved' : 'wrong'
}
