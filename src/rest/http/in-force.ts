import type { Clock } from '../../kernel/clock.ts'
import type { CredentialRepository } from '../../ports/credentials.ts'
import type { Role } from '../../ports/directory.ts'
import { owesFactor } from './authenticate.ts'
import type { Asker } from './route.ts'

/** A connection that stays open asks so often whether its credential is in force: it ends within 5 s (D-03). */
export const LOOK_EVERY_MS = 4_000

/** Whether the credential that opened a connection still proves who it is. While the database is away, it does. */
export async function isInForce(
  { credentials, clock }: { readonly credentials: Pick<CredentialRepository, 'credential'>; readonly clock: Clock },
  { credential }: Pick<Asker, 'credential'>,
): Promise<boolean> {
  try {
    const found = await credentials.credential(credential)
    return found !== undefined && found.expiresAtMs > clock.nowMs() && found.user?.active !== false
  } catch {
    return true
  }
}

/** What connections that stay open look at: a sign-on that owes a second factor is as one that has ended (rest-38). */
export function settled(credentials: CredentialRepository, secondFactorRoles: readonly Role[]): CredentialRepository {
  return Object.assign({}, credentials, {
    async credential(rcntrl: string) {
      const found = await credentials.credential(rcntrl)
      return found && !owesFactor(found, secondFactorRoles) ? found : undefined
    },
  })
}
