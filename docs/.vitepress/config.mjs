import { defineConfig } from 'vitepress';

// A link to a page that is not there ends the build. What lies outside of `docs` is named as code, not linked.
export default defineConfig({
  title: 'Tronicle',
  description: 'An event-sourced full node for the TRON network',
  cleanUrls: true,
  // Angle brackets in the tables of keys are text.
  markdown: { html: false },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      { text: 'Start', link: '/' },
      { text: 'Ten questions', link: '/ten-questions' },
      { text: 'GraphQL by example', link: '/graphql' },
      { text: 'Streams', link: '/streams' },
      { text: 'On the main net', link: '/main-net' },
      { text: 'Operations', link: '/operations' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'Errors', link: '/errors' },
      { text: 'Differences from java-tron', link: '/differences' },
      { text: 'Decisions', link: '/decisions' },
      { text: 'Glossary', link: '/glossary' },
      { text: 'Other people\'s tests', link: '/foreign-suites' },
    ],
  },
});
