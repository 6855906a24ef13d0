import type { Service } from '../src/app/service.ts'
import type { Credential } from '../src/client/client.ts'
import type { Clock } from '../src/kernel/clock.ts'
import { FIRST_CORPORATION } from '../src/kernel/ids.ts'
import { systemSecretBytes } from '../src/kernel/secret-bytes.ts'
import { issue, LIFE_MS } from '../src/rest/access/issue-credential.ts'
import { SCOPES } from '../src/rest/http/route.ts'

/** A new credential with every right; of a user where one is named. */
export async function credentialOf(
  { repositories: database }: Service,
  clock: Clock,
  name: string,
  userName?: string,
): Promise<Credential> {
  const { credentials, directory } = database!
  const key = await credentials.checkKey(systemSecretBytes(32))
  const nowMs = clock.nowMs()
  const user = userName === undefined ? undefined : (await directory.userByName(userName))?.id
  const order = { name, user, scopes: SCOPES, corporations: [FIRST_CORPORATION], ipAllowList: [] }
  const issuer = { key, secretBytes: systemSecretBytes, environment: 'development', nowMs }
  const { values, credential } = issue({ ...order, expiresAtMs: nowMs + LIFE_MS }, issuer)
  await credentials.addCredential(credential)
  return values
}
