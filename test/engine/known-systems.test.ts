import { expect, test } from 'vitest'
import { KnownSystems } from '../../src/engine/known-systems.ts'
import type { CorporationId, ExternalSystemId } from '../../src/kernel/ids.ts'
import type { ExternalSystem } from '../../src/ports/directory.ts'

const system = (id: number, corporation: number): ExternalSystem => ({
  id: id as ExternalSystemId,
  corporation: corporation as CorporationId,
  code: 'DEBT',
  name: 'Debts',
  active: true,
  lookup: null,
  popupUrlTemplate: null,
  allowedHosts: [],
})

test('a code that two corporations use names the system of the one whose calls come in', async () => {
  const known = new KnownSystems({
    directory: {
      corporations: async () => [1, 2].map((id) => ({ id: id as CorporationId, name: '' })),
      externalSystems: async () => [system(3, 1), system(4, 2)],
    },
    dialerRepository: { onNotification: () => () => {} },
  })
  await known.start()
  expect(['DEBT', 3, 4].map((named) => known.of(named)?.id)).toEqual([3, 3, 4])
})
