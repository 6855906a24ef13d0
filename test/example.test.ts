import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDesired } from '../src/app/read-installation.ts'
import { readSettings } from '../src/app/settings.ts'

const root = join(import.meta.dirname, '..')

test('the example configuration and the shipped flows fit together: a copy needs nothing but its variables', () => {
  const files = { SETUP_FILE: join(root, 'switchboard.example.yaml'), FLOWS_DIR: join(root, 'flows') }
  const { installation: config, problems } = readDesired(readSettings(files).settings!, {
    CARRIER_PASSWORD: 'x',
    ANNA_PHONE_PASSWORD: 'x',
    INTEGRATOR_URL: 'https://integrator.example',
    CASE_INFO_TOKEN: 'x',
    SMS_TOKEN: 'x',
    HELP_MAIL_PASSWORD: 'x',
    SMTP_PASSWORD: 'x',
  })
  expect(problems).toEqual([])
  expect(config).toBeDefined()
})
