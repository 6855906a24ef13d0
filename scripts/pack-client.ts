/**
 * Packs the typed client as `dist/switchboard-VERSION.tgz` with JavaScript and types (`npm run pack:client`). Node
 * strips no types inside node_modules, and a client needs none of the product's dependencies.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const HOME = join(import.meta.dirname, '..')

/** Measured: the client works whole under 18.0, not under 16, which has no `fetch` (rest-15). */
const ENGINES = { node: '>=18' }

/** Builds and packs the package in a folder; returns the path of the tarball. */
export function packClient(folder: string): string {
  const place = join(folder, 'client-package')
  rmSync(place, { recursive: true, force: true })
  const compiler = join(HOME, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '-p', join(HOME, 'tsconfig.client.json'), '--outDir', place], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  writeFileSync(join(place, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  copyFileSync(join(HOME, 'docs', 'client-example.ts'), join(place, 'client-example.ts'))
  writeFileSync(join(place, 'README.md'), readme(place))
  copyFileSync(join(HOME, 'LICENSE'), join(place, 'LICENSE'))
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: place, encoding: 'utf8' })
  const [{ filename }] = JSON.parse(packed) as [{ readonly filename: string }]
  return join(folder, filename)
}

/** The page of the client; a link to a file that is not in the package is plain text. */
function readme(place: string): string {
  const page = readFileSync(join(HOME, 'docs', 'client.md'), 'utf8')
  return page.replaceAll(/\[([^\]]+)\]\((?!https?:)([^)#]+)[^)]*\)/g, (link, text: string, target: string) =>
    existsSync(join(place, target)) ? link : text,
  )
}

/** Exports the same names as a checkout: `switchboard/client`, `switchboard/client/problem` and so on. */
function manifest(): object {
  const own = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8')) as Readonly<Record<string, unknown>>
  const { name, version, license } = own
  const file = (path: string) => ({ types: `./client/${path}.d.ts`, default: `./client/${path}.js` })
  return {
    name,
    version,
    license,
    engines: ENGINES,
    type: 'module',
    description: 'The typed client of Switchboard',
    exports: { './client': file('client'), './client/*': file('*') },
  }
}

if (import.meta.main) process.stdout.write(`${packClient(join(HOME, 'dist'))}\n`)
