/** Builds the console into the folder of the first argument: a process of its own, because it takes half a gigabyte. */
import { join } from 'node:path'
import { build } from 'vite'
import { NONCE_PLACE } from '../rest/http/console-pages.ts'

await build({
  root: join(import.meta.dirname, '../console'),
  configFile: false,
  envFile: false,
  publicDir: false,
  logLevel: 'error',
  html: { cspNonce: NONCE_PLACE },
  build: {
    outDir: process.argv[2]!,
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page admits files of this node, and no `data:` scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Which files each page loads; it is no file of the console and is not served.
    manifest: 'manifest.json',
  },
})
