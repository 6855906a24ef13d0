/** The switch of this service: its own Asterisk, or the one of `ARI_URL`. */
import { APPLICATION } from '../../asterisk/dialplan.ts'
import { DANGEROUS_MODULES, neededModules, VERSION_MIN } from '../../asterisk/modules.ts'
import type { PrivateAsterisk } from '../../asterisk/private.ts'
import { sidesInFolder } from '../adapters/recordings/join-channels.ts'
import { messagesInFolder } from '../adapters/recordings/keep-message.ts'
import { sipCopiesPortOf } from '../ari/address.ts'
import { type AriPbx, ariPbx } from '../ari/ari-pbx.ts'
import type { InstallationConfig } from '../installation/config.ts'
import type { Hearing } from '../ports/hearing.ts'
import { recordingsDirectoryOf } from './engine-storage.ts'
import type { ServiceInput } from './service-input.ts'

/** Not connected yet. `asterisk`: our own one, which runs. */
export function realPbx(
  input: ServiceInput,
  asterisk: PrivateAsterisk | undefined,
  installation: () => InstallationConfig,
  hearing: Hearing | undefined,
): AriPbx {
  const { settings, clock, random, log } = input
  const access = settings.ari ?? asterisk?.ari
  const firstTrunk = () => installation().trunks.keys().next().value
  // One of the two is set: without ARI_URL the service runs its own Asterisk.
  const directory = recordingsDirectoryOf(settings, asterisk?.runDirectory)
  const files = { joinSides: sidesInFolder(directory), keepMessage: messagesInFolder(directory) }
  const sipCopiesPort = sipCopiesPortOf(access!.url)
  const isProduction = settings.environment === 'production'
  const strict = isProduction ? { versionMin: VERSION_MIN, refusedModules: DANGEROUS_MODULES } : {}
  const needs = { neededModules: neededModules(installation()), ...strict }
  const ours = { app: APPLICATION, ...needs, firstTrunk }
  return ariPbx({ ...access!, ...files, ...ours, hearing, sipCopiesPort, clock, random, log })
}
