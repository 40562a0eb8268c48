<#-- The list of third-party software in the WAR. Licences that POMs name have many names, and one each here: SPDX's. -->
<#assign names = {
  "0BSD": "0BSD",
  "Apache-2.0": "Apache-2.0",
  "Apache License 2.0": "Apache-2.0",
  "Apache License, Version 2.0": "Apache-2.0",
  "The Apache License, Version 2.0": "Apache-2.0",
  "The Apache Software License, Version 2.0": "Apache-2.0",
  "BSD-2-Clause": "BSD-2-Clause",
  "BSD-3-Clause": "BSD-3-Clause",
  "EDL 1.0": "EDL-1.0",
  "EPL 2.0": "EPL-2.0",
  "EPL-2.0": "EPL-2.0",
  "MIT": "MIT",
  "MIT License": "MIT",
  "The MIT License": "MIT",
  "Mozilla Public License, Version 2.0": "MPL-2.0"
}/>
<#-- What is taken of several: Jersey's and Angus' POMs name the licences of parts after their own. -->
<#assign preferred = ["EPL-2.0", "MPL-2.0", "Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "EDL-1.0", "0BSD"]/>
<#assign classes = "WEB-INF/lib/postern-classes.jar!/"/>
<#-- Files of these are among the classes; the one without a place is compiled against, and the server brings its own. -->
<#assign places = {
  "jakarta.servlet-api": "",
  "typescript": classes + "dev/postern/mapping/script/typescript/typescript.js",
  "htmx.org": classes + "dev/postern/console/assets/htmx.min.js",
  "tomcat-embed-core": "WEB-INF/embedded/",
  "tomcat-annotations-api": "WEB-INF/embedded/"
}/>
<#function taken project offered>
  <#local known = offered?filter(name -> names[name]??)?map(name -> names[name])/>
  <#list preferred as licence>
    <#if known?seq_contains(licence)><#return licence/></#if>
  </#list>
  <#stop "src/license/third-party.ftl knows no licence of " + project.groupId + ":" + project.artifactId + ":" + project.version
    + " among [" + offered?join("; ") + "]"/>
</#function>
<#function place project>
  <#local place = places[project.artifactId]!"WEB-INF/lib/"/>
  <#return place?ends_with("/")?then(place + project.artifactId + "-" + project.version + ".jar", place)/>
</#function>
Third-party software in this WAR
================================

Each line has a file of the WAR (after "!/", one of that jar), the name of its licence (SPDX), and where it comes from.
The text of Apache-2.0 is META-INF/LICENSE. The text of another licence is META-INF/licenses/<name>.txt.
META-INF/NOTICE has the copyright lines, and says where source code is that a licence asks for.

<#list dependencyMap as entry>
<#assign project = entry.getKey()/>
<#assign file = place(project)/>
<#if file != "">
${file} | ${taken(project, entry.getValue())} | https://repo1.maven.org/maven2/${project.groupId?replace(".", "/")}/${project.artifactId}/${project.version}/
</#if>
</#list>
${classes}dev/postern/agent/entities.txt | BSD-3-Clause | https://html.spec.whatwg.org/multipage/named-characters.html
${classes}dev/postern/agent/look-alikes.txt | Unicode-3.0 | https://www.unicode.org/Public/
