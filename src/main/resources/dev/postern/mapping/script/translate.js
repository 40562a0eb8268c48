// Called by the TypeScript compiler's own context: (file, source) => JSON of what became of it.
(function (file, source) {
    var options = {
        target: ts.ScriptTarget.ES5,
        module: ts.ModuleKind.CommonJS,
        newLine: ts.NewLineKind.LineFeed,
        downlevelIteration: true,
        esModuleInterop: true,
        isolatedModules: true,
        allowJs: true,
        jsx: ts.JsxEmit.Preserve,
        sourceMap: true
    };
    var problems = [];

    // A part of the editors' services, which the build leaves out. The options above have all of it.
    ts.getDefaultCompilerOptions = function () {
        return {};
    };

    function problem(parsed, position, text) {
        var at = ts.getLineAndCharacterOfPosition(parsed, position);
        problems.push({line: at.line + 1, column: at.character + 1, text: text});
    }

    // No global of that name is there, but a literal would bring one's arithmetic in.
    function refuseBigInts(parsed, node) {
        if (node.kind === ts.SyntaxKind.BigIntLiteral) {
            problem(parsed, ts.getTokenPosOfNode(node, parsed), 'BigInt is not to be had here; use a number, or a string for an id');
        }
        ts.forEachChild(node, function (child) {
            refuseBigInts(parsed, child);
        });
    }

    // What this compiler does not know yet, put out of its way without moving anything.
    function known(text) {
        return text.replace(/^#!/, '//').replace(
            /(\bfrom\s*(?:'[^'\n]*\.json'|"[^"\n]*\.json")\s*)(with\s*\{[^}\n]*\})/g,
            function (all, before, attributes) {
                return before + attributes.replace(/./g, ' ');
            });
    }

    // ES5 calls what a class extends as a function, which the language's own constructors do not bear.
    function constructing(text) {
        return text
            .replace(/\b_super\.call\(this\b/g, '__super(_super, this')
            .replace(/\b_super\.apply\(this, /g, '__superOf(_super, this, ');
    }

    // The helpers take what is iterated over as it comes, and Rhino's error for undefined does not say what is wrong.
    function iterating(text) {
        return text
            .replace(/^(    var s = typeof Symbol === "function" && Symbol\.iterator, m = s && )o\[s\]/m, '$1__iterable(o)[s]')
            .replace(/^(    var m = typeof Symbol === "function" && )o\[Symbol\.iterator\];$/m, '$1__iterable(o)[Symbol.iterator];')
            .replace(/^(    var m = )o\[Symbol\.asyncIterator\], i;$/m, '$1__iterable(o)[Symbol.asyncIterator], i;');
    }

    // The compiler puts its helpers before the module's own statements.
    function helperLines(text) {
        var last = 0;
        var inside = false;
        text.split('\n').forEach(function (line, index) {
            inside = inside || /^var (__\w+) = \(this && this\.\1\) \|\| /.test(line);
            last = inside ? index + 1 : last;
            inside = inside && !/^\}.*;$/.test(line);
        });
        return last;
    }

    function lineOf(text, position) {
        return text.slice(0, position).split('\n').length;
    }

    source = known(source);
    var made = ts.transpileModule(source, {fileName: file, compilerOptions: options, reportDiagnostics: true});
    made.diagnostics.forEach(function (diagnostic) {
        problem(diagnostic.file, diagnostic.start, ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '));
    });
    if (/\d\w*n/.test(source)) {
        var parsed = ts.createSourceFile(file, source, options.target, true);
        refuseBigInts(parsed, parsed);
    }
    var code = made.outputText;
    code = iterating(constructing(code.slice(0, code.lastIndexOf('//# sourceMappingURL='))));
    var imports = code.indexOf('require') < 0 ? [] : ts.preProcessFile(code, true, true).importedFiles.map(function (imported) {
        return {specifier: imported.fileName, line: lineOf(code, imported.pos)};
    });
    return JSON.stringify({
        code: code,
        mappings: JSON.parse(made.sourceMapText).mappings,
        helperLines: helperLines(code),
        imports: imports,
        problems: problems
    });
})
