import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What lives in real time: real telephones, real mail servers, and the demo on simulated phones. */
const REAL = ['test/**/*.real.test.ts', 'test/e2e/**/*.test.ts', 'test/demo/**/*.test.ts']
/** A database of its own is made in a second or two, on a machine that does nothing else. */
const PATIENT = { testTimeout: 30_000, hookTimeout: 60_000 }
/** A minute and more each: begun last, one of them would keep everybody waiting. */
const LONG = ['e2e/demo', 'demo/simulated', 'ari-pbx.real', 'e2e/chaos', 'e2e/faults', 'campaign-day', 'e2e/campaign']

/** The long ones first, in the order of the list. Vitest knows lengths from the run before, a clean checkout has none. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.includes(`${name}.test.ts`))
      return place < 0 ? LONG.length : place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}

/** `test/run.ts` runs both projects at once: those of `real` wait most of the time, while the others compute. */
export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    sequence: { sequencer: LongFirst },
    projects: [
      // One process for many files: loading everything anew for each was a third of their time.
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: REAL, isolate: false, ...PATIENT },
      },
      { extends: true, test: { name: 'real', include: REAL, testTimeout: 90_000, hookTimeout: 300_000 } },
    ],
  },
})
