import { afterAll } from 'vitest'
import { postgresSentTexts } from '../../../src/store/limits/text-counts.ts'
import { SimSentTexts } from '../../sim/sim-sent-texts.ts'
import { makeDatabase, servers } from '../../store/db/database.ts'
import { sentTextsContract } from './sent-texts.contract.ts'

const dropped: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const drop of dropped) await drop()
})

sentTextsContract('in memory', async () => new SimSentTexts())
for (const server of servers) {
  sentTextsContract(`PostgreSQL, ${server.name}`, async () => {
    const { pools, drop } = await makeDatabase(server)
    dropped.push(drop)
    return postgresSentTexts(pools)
  })
}
