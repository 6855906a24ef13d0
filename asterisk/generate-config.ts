import { assert } from '../src/kernel/assert.ts'
import { callEventsConfigs } from './call-events.ts'
import { configProblems } from './check-input.ts'
import type { ConfigInput } from './config-input.ts'
import { configText } from './config-text.ts'
import { dialplanConfig } from './dialplan.ts'
import {
  ariConfig,
  asteriskConfig,
  disabledConfigs,
  httpConfig,
  indicationsConfig,
  loggerConfig,
  musicConfig,
  rtpConfig,
  sipCopiesConfig,
  sorceryConfig,
} from './general.ts'
import { modulesConfig } from './modules.ts'
import { pjsipConfig } from './pjsip.ts'

/** File name to text, for the `etc` folder of a run directory. */
export type ConfigFiles = ReadonlyMap<string, string>

/** Files that Asterisk requires and that may be empty. */
const EMPTY_FILES = ['stasis', 'features', 'udptl', 'pjproject', 'ccss', 'acl', 'cli_permissions', 'websocket_client']

/**
 * The whole configuration of one switch, hardened as faults.md 4.4 requires. Pure: it reads and writes no files. Call
 * `configProblems` first; input that it refuses throws here.
 */
export function generateConfig(input: ConfigInput): ConfigFiles {
  const { installation: config } = input
  const problems = configProblems(input)
  assert(problems.length === 0, `configuration from refused input: ${problems.join('; ')}`)
  return new Map([
    ['asterisk.conf', asteriskConfig(input)],
    ['modules.conf', modulesConfig(input)],
    ['logger.conf', loggerConfig()],
    ['http.conf', httpConfig(input.ari)],
    ['ari.conf', ariConfig(input.ari)],
    ['hep.conf', sipCopiesConfig(input.ari)],
    ['rtp.conf', rtpConfig(config.asterisk)],
    ['sorcery.conf', sorceryConfig()],
    ['pjsip.conf', pjsipConfig(input)],
    ['extensions.conf', dialplanConfig(config)],
    ['musiconhold.conf', musicConfig(input)],
    ['indications.conf', indicationsConfig()],
    ...callEventsConfigs(input),
    ...disabledConfigs(),
    ...EMPTY_FILES.map((name) => [`${name}.conf`, configText([])] as const),
  ])
}
