/** The address of every page, as the node serves and the router reads them. */
export const PATHS = {
  home: '/',
  login: '/login',
  desk: '/desk',
  calls: '/calls',
  call: '/calls/:eactId',
  me: '/me',
} as const
