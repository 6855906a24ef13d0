import type { InstallationConfig } from '../installation/config.ts'
import type { Problem } from '../kernel/file-problem.ts'
import type { ServiceInput } from './service-input.ts'

/** Without the secret no TURN server takes a browser: agents at home would be found to be deaf one by one. */
export function whyNoTurn({ file, ice }: InstallationConfig, env: ServiceInput['env']): Problem | undefined {
  const variable = ice?.turnSecretFrom
  if (variable === undefined || env[variable]) return undefined
  const message = `phones.turnSecretFrom: the environment variable ${variable} is not set; set it to the secret of TURN`
  return { file, line: 1, column: 1, severity: 'error', message }
}
