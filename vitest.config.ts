import { defineConfig } from 'vitest/config'

const REAL = ['test/**/*.real.test.ts', 'test/e2e/**/*.test.ts']

/** `real` uses the private Asterisk, one file at a time; everything else may run side by side. */
export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    // More than two cores' worth: phones, databases and virtual hours wait for each other most of the time.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: REAL, testTimeout: 30_000 } },
      {
        extends: true,
        test: { name: 'real', include: REAL, fileParallelism: false, testTimeout: 90_000, hookTimeout: 300_000 },
      },
    ],
  },
})
