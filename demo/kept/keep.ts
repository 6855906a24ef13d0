/** What a kept demo has for its visitor: logins, colleagues at work, a campaign that goes on, a file of addresses. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Service } from '../../src/app/service.ts'
import { connect } from '../../src/client/client.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { FIRST_CORPORATION } from '../../src/kernel/ids.ts'
import type { Random } from '../../src/kernel/random.ts'
import { systemSecretBytes } from '../../src/kernel/secret-bytes.ts'
import { hashPassword } from '../../src/rest/access/password.ts'
import { credentialOf } from '../credential.ts'
import { colleagueAtWork } from './colleague.ts'
import { makeDeskCampaign, supplyPeople } from './kept-campaign.ts'
import type { PassersBy } from './passers-by.ts'
import { COLLEAGUES, SUPERVISOR, VISITOR } from './staff.ts'

/** What the kept part needs of the demo. */
export interface KeepParts {
  readonly service: Service
  readonly clock: Clock
  readonly random: Random
  readonly people: PassersBy
  readonly onLine: (line: string) => void
}

/** A login of the console. */
export interface Login {
  readonly userName: string
  /** Made anew for each demo, and kept nowhere. */
  readonly password: string
}

/** What goes on until `stop`. */
export interface Kept {
  readonly visitor: Login
  readonly supervisor: Login
  stop(): void
}

const PASSWORD_BYTES = 12

/** Starts it; resolves when the colleagues are logged in and people are being called. */
export async function keepDemo({ service, clock, random, people, onLine }: KeepParts): Promise<Kept> {
  const ssoUrl = service.core!.rest.ssoUrl!
  const client = connect({ ssoUrl, credential: await credentialOf(service, clock, 'demo desk') })
  const { callCode, outcomes } = await makeDeskCampaign(client)
  await service.repositories!.directory.addUser(
    { userName: SUPERVISOR.name, name: SUPERVISOR.title, corporation: FIRST_CORPORATION, roles: ['supervisor'] },
    clock.nowMs(),
  )
  const [visitor, supervisor] = [await loginOf(service, VISITOR.name), await loginOf(service, SUPERVISOR.name)]
  for (const { name } of COLLEAGUES) {
    const credential = await credentialOf(service, clock, `demo ${name}`, name)
    await colleagueAtWork({ name, ssoUrl, credential, clock, random, outcomes, onLine })
  }
  const supply = await supplyPeople({ client, callCode, people, clock, onLine })
  return { visitor, supervisor, stop: () => supply.stop() }
}

async function loginOf({ repositories }: Service, userName: string): Promise<Login> {
  const password = systemSecretBytes(PASSWORD_BYTES).toString('base64url')
  await repositories!.directory.setPassword(userName, await hashPassword(password, systemSecretBytes))
  return { userName, password }
}

/** Writes `env`, which a shell reads with `.`: the commands of a second terminal then work on this demo. */
export function writeEnvFile(directory: string, variables: Readonly<Record<string, string>>): string {
  const file = join(directory, 'env')
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'`)
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  return file
}
