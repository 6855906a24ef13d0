/** References of a contact that is created or changed, for the probes of tenants. */
import type { Ids } from '../whole-world.ts'

/** Place in the body → a body with the reference there. */
export const ENTITY_CHANGES: readonly (readonly [string, (ids: Ids) => object])[] = [
  ['body.emenId', ({ emenId }) => ({ emenId, name2: 'changed' })],
  ['body.corporation.corpId', ({ corpId }) => ({ name1: 'changed', corporation: { corpId } })],
  [
    'body.extensions.extensionLinks.systemCode body.extensions.extensionLinks.extCustId',
    ({ systemCode, extCustId }) => ({
      name2: 'changed',
      extensions: [{ extensionLinks: [{ systemCode, extCustId }] }],
    }),
  ],
]
