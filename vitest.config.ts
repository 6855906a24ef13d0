import { defineConfig } from 'vitest/config'

/** `unit` needs nothing but Node and espeak-ng; `real` needs the private Asterisk, one file at a time. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.real.test.ts', 'test/e2e/**', 'test/asterisk-kit/install.test.ts'],
        },
      },
      {
        test: {
          name: 'real',
          include: ['test/**/*.real.test.ts', 'test/e2e/**/*.test.ts', 'test/asterisk-kit/install.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
