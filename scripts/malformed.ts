/** `npm run malformed -- --help`: spoiled requests over every operation, made from the declarations. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { nameOf, type SpoiledRequest, spoiledRequest } from '../test/rest/malformed-requests.ts'
import type { MalformedWorld } from '../test/rest/malformed-verdict.ts'
import { developmentCommand, print, wholeNumber } from './command.ts'

/** Requests that are made at once; each such batch has a seed of its own. */
const BATCH = 1_000
const SHOWN_MAX = 20

const DESCRIPTION = `Spoiled requests over every operation, made from the declarations. Ends with 1 when an answer is
5xx, is not as the OpenAPI document says, or something crashes; each such request is printed.`

const values = developmentCommand('malformed', DESCRIPTION)
  .option('--count <requests>', 'so many', wholeNumber, 10_000)
  .option('--seed <number>', 'another one is another run', wholeNumber, 1)
  .option('--again <line>', 'ask one request that was printed once more')
  .parse()
  .opts<{ count: number; seed: number; again?: string }>()

const crashes: string[] = []
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    crashes.push(event)
    process.exitCode = 1
    print(`CRASH ${event} ${error instanceof Error ? error.stack : String(error)}`)
  })
}

const directory = mkdtempSync(join(tmpdir(), 'switchboard-malformed-'))
// As root the database's server runs under another user, who must be able to enter.
chmodSync(directory, 0o755)
process.env['SWITCHBOARD_TEST_POSTGRES'] = directory
const { embeddedOf } = await import('../test/store/db/database.ts')
const { openMalformedWorld } = await import('../test/rest/malformed-verdict.ts')
try {
  const world = await openMalformedWorld()
  process.exitCode = values.again === undefined ? await run(world) : await again(world, values.again)
  await world.close()
} finally {
  await (await embeddedOf(directory)).stop()
  rmSync(directory, { recursive: true, force: true })
}

async function run(world: MalformedWorld): Promise<number> {
  const { count, seed } = values
  const arbitrary = spoiledRequest(world.routes, world.ids)
  const seen = new Map<string, number>()
  let asked = 0
  let faults = 0
  for (let batch = 0; asked < count; batch++) {
    const requests = fc.sample(arbitrary, { numRuns: Math.min(BATCH, count - asked), seed: seed * 1_000_003 + batch })
    for (const request of requests) {
      const { status, fault } = await judge(world, request)
      asked++
      const kind = `${request.name} ${Math.floor(status / 100)}xx`
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      if (fault !== undefined && ++faults <= SHOWN_MAX) print(`FAULT ${fault}\n  ${JSON.stringify(request)}`)
    }
    print(`${asked} requests, ${faults} faults, ${crashes.length} crashes`)
  }
  const sum = (kind: string) => [...seen].reduce((all, [name, times]) => all + (name.endsWith(kind) ? times : 0), 0)
  const tried = world.routes.filter((route) => [...seen.keys()].some((name) => name.startsWith(`${nameOf(route)} `)))
  const good = world.routes.filter((route) => seen.has(`${nameOf(route)} 2xx`))
  print(
    `${tried.length} of ${world.routes.length} operations; ${good.length} were also asked for something they could do`,
  )
  print(`${sum('2xx') + sum('3xx')} good answers, ${sum('4xx')} refusals, ${sum('5xx')} answers 5xx`)
  const isHeld = faults === 0 && crashes.length === 0
  print(isHeld ? `seed ${seed}: nothing broke` : `seed ${seed}: ${faults} faults, ${crashes.length} crashes`)
  return isHeld ? 0 : 1
}

/** What is thrown is a fault as well. */
async function judge(world: MalformedWorld, request: SpoiledRequest) {
  return world.judge(request).catch((error: unknown) => ({ status: 599, fault: `thrown: ${String(error)}` }))
}

async function again(world: MalformedWorld, line: string): Promise<number> {
  const { status, fault } = await judge(world, JSON.parse(line) as SpoiledRequest)
  print(`${status} ${fault ?? 'as it should be'}`)
  return fault === undefined ? 0 : 1
}
