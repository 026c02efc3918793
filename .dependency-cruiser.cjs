/** The trust-domain import rules (see SECURITY.md). Type-only imports count. */
const contract = '^src/contract/';
module.exports = {
  forbidden: [
    {
      name: 'contract-is-pure',
      comment:
        'src/contract imports only itself and zod: no I/O, no clock, no environment, no node:*',
      severity: 'error',
      from: { path: contract },
      to: { pathNot: [contract, '^node_modules/zod/'] },
    },
    {
      name: 'vault-stands-alone',
      comment: 'The vault shares code with nobody but the contract',
      severity: 'error',
      from: { path: '^vault/' },
      to: { path: '^(src|rs|consent-ui)/', pathNot: contract },
    },
    {
      name: 'rs-stands-alone',
      comment: 'The resource server shares code with nobody but the contract',
      severity: 'error',
      from: { path: '^rs/' },
      to: { path: '^(src|vault|consent-ui)/', pathNot: contract },
    },
    {
      name: 'consent-ui-stands-alone',
      comment: 'The consent page shares code with nobody but the contract',
      severity: 'error',
      from: { path: '^consent-ui/' },
      to: { path: '^(src|vault|rs)/', pathNot: contract },
    },
    {
      name: 'bridge-holds-no-verifier',
      comment:
        'The bridge imports neither vault, rs nor consent-ui. Exceptions: the Tier 1 composition root, ' +
        'which constructs the in-process Vault and the example actions; and protect(), whose process is ' +
        'bridge and resource server of the tools it holds',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli/tier1\\.ts$|protect/)' },
      to: { path: '^(vault|rs|consent-ui)/' },
    },
    {
      name: 'no-cycles',
      comment: 'No cycle at run time; types may refer to each other',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node'],
    },
  },
};
