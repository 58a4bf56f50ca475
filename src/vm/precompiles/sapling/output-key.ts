/**
 * Verifying key of the output circuit, in the format of the `bellman` crate. It is the first part of the parameter file
 * of Zcash's ceremony (BLAKE2b-512 a1cb23b93256adce…).
 */
export const OUTPUT_KEY: Uint8Array = Buffer.from(
  [
    'DbiCz12z6FZ/FrTbF3LU0fWj/o1i8N8uuKXPpQgGcCr96PwlM1617IWcKBiyYQsuGatEXaxyC7HysM0zNvehrMYr8bOjIYJiZNx+',
    'RpKB4jshg5TVmGidoE4TaHj/mniXAUp4qNFxgKN8TKj7Ix8mSrib0Uhjd3/B/+kB/ZJEQ2XRj3gjdhKsOOOfQZwy8IJFFSGexFwm',
    'wfrVMFFO2JGg0AQ6zt80iSIQLpWz5tB+CvqUxYqkFIBjH8HKNuVarlH9CkFrgYdFCyjwJcQh4/8U04+avZry8QRrkUtTqzfprrum',
    'g8slKE5cIvo0ESmYUlChA1R95dAF30gmX3yyWBYiU9VvvGgtEGoeywdmbr91JKNk5RLDeqYvgtbn3U7Yg4R4EEN2qYBydmwplZNY',
    '6c3mpJhWGPZeolfo8oiXT0rt3lLl2sL7euXTDqt82CiiyLFfFbFvE58sM+8z1jvv5ATmlslwd9F+pC9P+dguxFaq9DkUo9B5aBEa',
    'OjSPFX5kwCeKE+ArYFJxn2B9rNOgiCdPZVlr0NCZILYatdphu9x/UEkzTPESE5RdV+WsfQVdBCt+AkqisvCPCpEmCAUnLcUQUcbk',
    'etT6QDsCtFELZHrj0XcLrAMmqAW779SAVsjBIb24BgbEoC6nNMwyrNKwK8KLmcs+KH6Fp2OvJnSSq1cumas/Nw0nXOwdoaqpB1/w',
    'X3m+DOXVJ3J9bhGMyc3G2i41Gq39m6qMvdOnbUKaaVFg0SySOsnMO6yiieGTVIYIuCgBBS0zZawfNKokja0g+SBkrbvEyKFny557',
    'l76Kx71+F6v0RvBVxTaXp6EDStfN7NBeB6FqLyVRGf70keYf3XGlKVQFc7EqRbRh5++5bRl9U7ANTsBxRh2ZuA+BqFWeCrMTE1ed',
    'VV7HZKXIMlPljbHWpzcX1ozSJ316zBMpldfDCDxqCOKplWdQM37+7+33QnfKBGJhnaSmRaYYDGiIPZwC0Wz+0KSIc/cwS+JzvYCn',
    '7DPGkXYYT7I/SGAkOs5dGL5QFWEh8jpsqpPpGP0C1mgrRsianm5PBn/MjxDRGdgHsk1FLFayQT8rqutwriQ9FDoUDaSnI6rF+CAu',
    'pIaIqSJQqMAWLzhrCZUSESvyKDFdGhRwNAMGesLaWPtmQoBUAJJwAAAABgT9ZxhMN8UkAYPP9z9SVE7Na2Ked1rWZIaW+ZpDGmPK',
    'izhr3LlMseTFPE7AJ209xQwr1dMb+QSzC50FCNWckVv66mSDBCU2Ylf+WZ8ury9mUL6hq+S6sZVdqIpoYMMbTQcxQ7Qxx+jpMj82',
    'k8Rw/Zo63xmaMbbjAGxkGJveegejFvn3JS0EIUesTGi+OmKjZwElNOKFwKwOAcfI+dAT8Tqh2gwGd3Vk12snq3iP1GylqamFRCTD',
    'Jeq4UpgESyWNoxPMp828+2gfNsCj2auVeWC1fdcwAvBC9yIu7CPV1gowv5O9jQVkETwL6PG69XfKVwCI44E1XT9+jatlPnoudYck',
    's5qdY+SQX7wpJ9UkbS5gcq0UL4FJjm1a7N82IA3leQ/7m0I/RjH7vrQj2B/pskSVOitwHrL12Wv5eYHrUCJ3BRKKQBwQeJWCu8hk',
    'gVAnDw13y0TeL3O96p5EBRdO8wNM6IvEsC1OCIaz+l+15rCx9AS/oYrTCKrd3SY0yXZdWw+R/+YCFI3ZpkBPFwGvMaSEge8jvwW+',
    '7UdkKBeML5cggtUzNIkENIgx6mHOM79szAsE+uRTliy0wmNLx16uyq+aA0yzDYKWi7CKRkA7MIrAvoL1lkwKljEDLDYxRwl60gk2',
    '1kN2uM/0a/epw9tltHrYPBzfLOqE8mcSeNWX+IZ6OkqVWqq5WBab+Wg5uSOyegjn1SdCVxpz64QvnDG4lyUFB5dgpjyQnwAzuhMx',
    'yBMcPq+4lF8hEsQFhptUchsBTg==',
  ].join(''),
  'base64',
);
