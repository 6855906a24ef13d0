import type { Branded } from '../kernel/ids.ts'

/** A signing key as its owner keeps it: `whsec_` and base64 of 24 to 64 bytes. Never logged. */
export type WebhookSecret = Branded<string, 'WebhookSecret'>
