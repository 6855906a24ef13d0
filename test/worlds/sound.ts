/** Worlds that are checked when their test is over: no test can forget an invariant. */
import { afterEach, expect } from 'vitest'
import { faultsOf } from './checkers.ts'
import { silencesOf } from './silence.ts'
import { openWorld, type World, type WorldOptions } from './world.ts'

/** Longer than any agent is left in peace, and than any command is repeated. */
const QUIET_MS = 120_000

/** How worlds of a test file are opened. */
export interface Sound {
  open(options?: WorldOptions & { readonly silenceSlackMs?: number }): Promise<World>
}

/** After each test: every call of its worlds ended properly, and no caller was left in silence. */
export function soundWorlds(): Sound {
  const opened: { world: World; slackMs: number | undefined }[] = []
  afterEach(async () => {
    for (const { world, slackMs } of opened.splice(0)) {
      world.clock.run(QUIET_MS)
      expect(await faultsOf(world)).toEqual([])
      expect(world.callers.flatMap((caller) => silencesOf(world, caller, slackMs))).toEqual([])
    }
  })
  return {
    async open({ silenceSlackMs, ...options } = {}) {
      const world = await openWorld(options)
      opened.push({ world, slackMs: silenceSlackMs })
      return world
    },
  }
}
