/** The address of every page, as the node serves and the router reads them. */
export const PATHS = { home: '/', login: '/login', calls: '/calls', call: '/calls/:eactId', me: '/me' } as const
