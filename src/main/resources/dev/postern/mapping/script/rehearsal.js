// What transforms commonly use, used once before the first of them runs: classes are loaded on nobody's time.
module.exports = function () {};
(function () {
    var items = [];
    for (var i = 0; i < 200; i++) {
        items.push({id: i, title: ' item ' + i, state: i % 3 ? 'open' : 'closed', at: new Date(i).toISOString()});
    }
    var text = JSON.stringify(items, null, 1);
    var lines = JSON.parse(text).filter(function (item) {
        return item.state === 'open';
    }).map(function (item) {
        return '- #'.concat(item.id, ' ', item.title.trim().toUpperCase().slice(0, 5));
    });
    lines.sort().reverse().concat([1.5, true, null]).join('\n').split('\n').indexOf('x');
    text.replace(/(\d+)-(\d+)/g, '$2-$1').replace(/open/g, function (word) {
        return word.charAt(0);
    }).match(/[a-z]+\w/gi);
    Object.keys(Object.assign({}, items[0])).forEach(encodeURIComponent);
    new Set(new Map([[1, 2]]).keys()).forEach(String);
    Promise.all([1, Promise.resolve(2)]).then(function (all) {
        return all.length;
    }).catch(String);
    try {
        items[-1].x;
    } catch (e) {
        String(e.stack);
    }
    (1234.5).toFixed(1) + parseFloat('1.5') + parseInt('7', 10) + Math.max.apply(null, [1, 2]) + items[Symbol.iterator]().next();
    Array.from('abc').reduce(function (sum, c) { return sum + c; }, '');
    (1e-300).toString(7) + (1e-7).toFixed(9) + (1e30).toPrecision(9) + (1e30).toExponential(3) + function () {}.toString();
    JSON.stringify(Object.freeze({a: '\u0001', b: Object.groupBy([1], String)}));
    new Date(0).toLocaleString('de') + new Date(0).toLocaleDateString('ja') + new Date(0).toLocaleTimeString();
    new Date('2026-11-20 12:00 UTC').toLocaleString('en', {timeZone: 'Asia/Tokyo'});
    atob(btoa('a'));
    'a\u0301'.normalize('NFKD').localeCompare('\u00e4') + /\p{Lu}\p{Script=Greek}(?<name>x)\k<name>(?<=y)/u.test('A');
    new WeakMap([[items, 1]]).has(items) + new WeakSet([items]).has(items);
    (function deep(n) {
        return n && deep(n - 1) + 1;
    })(500);
    'a'.padStart(3).repeat(2).includes('b') || Date.parse('2026-11-20T12:00:00Z') > Date.now();
})();
