import { httpSms } from '../adapters/sms/http-sms.ts'
import { noSms } from '../adapters/sms/no-sms.ts'
import { limitedSms } from '../adapters/sms/sms-limits.ts'
import { twilioSms } from '../adapters/sms/twilio-sms.ts'
import type { InstallationConfig } from '../installation/config.ts'
import type { SentTexts } from '../ports/calls/sent-texts.ts'
import type { Sms } from '../ports/sms.ts'
import type { ServiceInput } from './service-input.ts'
import { textDestinations } from './sms-destinations.ts'

/** The gateway, with the limits of what leaves. */
export function limitedTexts(
  input: ServiceInput,
  installation: () => InstallationConfig,
  sent: SentTexts | undefined,
): Sms {
  const { smsCountries, abroad } = input.settings
  const destinationOf = textDestinations(installation, smsCountries)
  return limitedSms(smsOf(input, installation()), {
    ...input,
    destinationOf,
    sent,
    limits: { ofCountry: abroad.textsMax },
  })
}

/** The gateway of text messages: Twilio of the settings, a gateway of the configuration, or none. */
function smsOf({ settings, env, clock, log }: ServiceInput, config: InstallationConfig): Sms {
  const { twilio } = settings
  if (twilio) {
    const { baseUrl, ...account } = twilio
    return twilioSms({ ...account, ...(baseUrl !== undefined && { baseUrl }), clock, log })
  }
  if (!config.sms) return noSms
  const authorization = config.sms.authorizationFrom === undefined ? undefined : env[config.sms.authorizationFrom]
  return httpSms({ config: config.sms, authorization, clock, log })
}
