import { defineConfig } from 'vitest/config'

const REAL = ['test/**/*.real.test.ts', 'test/e2e/**/*.test.ts']
/** A database of its own is made in a second or two, on a machine that does nothing else. */
const PATIENT = { testTimeout: 30_000, hookTimeout: 60_000 }

/** `real` uses the private Asterisk, one file at a time; everything else may run side by side. */
export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    // Beside them run the real ones, which wait most of the time (`test/run.ts`).
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: REAL, ...PATIENT } },
      {
        extends: true,
        test: { name: 'real', include: REAL, fileParallelism: false, testTimeout: 90_000, hookTimeout: 300_000 },
      },
    ],
  },
})
