/** What a service starts with and follows: the files, beside the environment that only the service has. */
import type { InstallationConfig } from '../installation/config.ts'
import type { Problem } from '../kernel/file-problem.ts'
import { type Desired, readDesired } from './read-installation.ts'
import type { ServiceInput } from './service-input.ts'
import type { Settings } from './settings.ts'

/** As `readDesired`; without the secret of its TURN servers a configuration is not fit. */
export function readRunnable(settings: Settings, env: ServiceInput['env']): Desired {
  const desired = readDesired(settings, env)
  const problem = desired.config && whyNoTurn(desired.config, env)
  return problem ? { ...desired, config: undefined, installation: undefined, problems: [problem] } : desired
}

/** Agents at home would be found to be deaf one by one. */
function whyNoTurn({ file, ice }: InstallationConfig, env: ServiceInput['env']): Problem | undefined {
  const variable = ice?.turnSecretFrom
  if (variable === undefined || env[variable]) return undefined
  const message = `phones.turnSecretFrom: the environment variable ${variable} is not set; set it to the secret of TURN`
  return { file, line: 1, column: 1, severity: 'error', message }
}
